// SPDX-License-Identifier: Apache-2.0
// A contact problem that owns its matrix, and its text file.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/linalg/factorization.hpp"
#include "saltus/nonsmooth/contact_problem.hpp"
#include "saltus/nonsmooth/contact_solver.hpp"

namespace saltus::nonsmooth::test {

/// The numbers of a problem.
struct ProblemData {
  std::string name;
  bool local = true;
  bool position_level = false;
  bool moments = false;
  double motion_tolerance = 1e-10;
  double pile_tolerance = SolverOptions{}.pile_tolerance;
  Eigen::MatrixXd K;
  std::vector<ContactRows> contacts;  ///< without Y
};

/// A problem ready to be solved. Y comes from K.
class StoredProblem {
 public:
  explicit StoredProblem(ProblemData data) : data_(std::move(data)) {
    const auto n = static_cast<int>(data_.K.rows());
    linalg::PatternBuilder builder(n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (data_.K(i, j) != 0 || i == j) builder.add(i, j);
      }
    }
    pattern_ = std::make_unique<linalg::SparsityPattern>(std::move(builder));
    matrix_ = std::make_unique<linalg::SparseMatrix>(*pattern_);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int slot = pattern_->slot(i, j);
        if (slot >= 0) matrix_->values()[static_cast<std::size_t>(slot)] = data_.K(i, j);
      }
    }
    factorization_ = std::make_unique<linalg::Factorization>(*pattern_);
    if (!factorization_->factorize(*matrix_).ok()) throw std::runtime_error(data_.name);
    problem_.K = matrix_.get();
    problem_.factorization = factorization_.get();
    problem_.local = data_.local;
    problem_.moments = data_.moments;
    problem_.contacts = data_.contacts;
    if (data_.local) set_responses();
  }

  const std::string& name() const { return data_.name; }
  const ProblemData& data() const { return data_; }
  const ContactProblem& problem() const { return problem_; }
  ContactProblem& problem() { return problem_; }

  SolverOptions options(SolverKind kind = SolverKind::Automatic) const {
    SolverOptions options;
    options.kind = kind;
    options.gap_suffices = data_.position_level;
    options.motion_tolerance = data_.motion_tolerance;
    options.pile_tolerance = data_.pile_tolerance;
    return options;
  }

  /// All of H.
  Eigen::MatrixXd rows() const { return all(&ContactRows::H); }
  /// All of F.
  Eigen::MatrixXd directions() const { return all(nullptr); }

 private:
  // Of H, or of the directions of the reactions.
  Eigen::MatrixXd all(ContactRows::Rows ContactRows::*member) const {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(problem_.rows(), problem_.size());
    for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
      for (std::size_t k = 0; k < 12; ++k) {
        const int column = problem_.contacts[c].columns[k];
        if (column < 0) continue;
        const int rows = problem_.rows_per_contact();
        const ContactRows& contact = problem_.contacts[c];
        H.block(rows * static_cast<Eigen::Index>(c), column, rows, 1) +=
            (member ? contact.*member : contact.directions())
                .col(static_cast<Eigen::Index>(k))
                .head(rows);
      }
    }
    return H;
  }

  void set_responses() {
    Eigen::VectorXd x(problem_.size());
    for (ContactRows& contact : problem_.contacts) {
      for (int row = 0; row < problem_.rows_per_contact(); ++row) {
        x.setZero();
        for (std::size_t k = 0; k < 12; ++k) {
          const int column = contact.columns[k];
          if (column >= 0) x[column] += contact.directions()(row, static_cast<Eigen::Index>(k));
        }
        factorization_->solve_in_place(x);
        for (std::size_t k = 0; k < 12; ++k) {
          const int column = contact.columns[k];
          if (column >= 0) contact.Y(static_cast<Eigen::Index>(k), row) = x[column];
        }
      }
    }
  }

  ProblemData data_;
  std::unique_ptr<linalg::SparsityPattern> pattern_;
  std::unique_ptr<linalg::SparseMatrix> matrix_;
  std::unique_ptr<linalg::Factorization> factorization_;
  ContactProblem problem_;
};

inline std::string path_of(const std::string& name) {
  std::string path = SALTUS_SOURCE_DIR "/tests/problems/";
  path += name;
  path += ".txt";
  return path;
}

inline std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

/// The nonzeros of the rows of a contact.
inline void put_rows(std::ostream& out, const char* name, const ContactRows::Rows& H, int rows) {
  out << " " << name << " " << (H.topRows(rows).array() != 0).count() << "\n";
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index k = 0; k < 12; ++k) {
      if (H(i, k) != 0) out << i << " " << k << " " << number(H(i, k)) << "\n";
    }
  }
}

/// Words and numbers separated by white space; tests/problems/README.md has the format.
inline std::string to_text(const ProblemData& data) {
  std::ostringstream out;
  out << "contact-problem 2\nlocal " << data.local << "\nposition_level " << data.position_level
      << "\nmotion_tolerance " << number(data.motion_tolerance) << "\npile_tolerance "
      << number(data.pile_tolerance) << "\nmoments " << data.moments << "\n";
  out << "K " << data.K.rows() << " " << (data.K.array() != 0).count() << "\n";
  for (Eigen::Index i = 0; i < data.K.rows(); ++i) {
    for (Eigen::Index j = 0; j < data.K.cols(); ++j) {
      if (data.K(i, j) != 0) out << i << " " << j << " " << number(data.K(i, j)) << "\n";
    }
  }
  out << "contacts " << data.contacts.size() << "\n";
  const int rows = data.moments ? 6 : 3;
  for (const ContactRows& contact : data.contacts) {
    out << "mu " << number(contact.mu);
    if (data.moments) {
      out << " spin " << number(contact.spin) << " roll " << number(contact.roll) << " coupled "
          << contact.coupled;
    }
    out << " b";
    for (int i = 0; i < rows; ++i) out << " " << number(contact.b[i]);
    out << " columns";
    for (const int column : contact.columns) out << " " << column;
    put_rows(out, "H", contact.H, rows);
    if (contact.turned) put_rows(out, "F", contact.F, rows);
  }
  return out.str();
}

inline void expect_word(std::istream& in, const std::string& word) {
  std::string found;
  if (!(in >> found) || found != word) throw std::runtime_error(word + " expected, not " + found);
}

inline void take_rows(std::istream& in, ContactRows::Rows& H) {
  int entries = 0;
  in >> entries;
  for (int e = 0, i = 0, k = 0; e < entries && in; ++e) {
    in >> i >> k;
    if (i < 0 || i >= 6 || k < 0 || k >= 12) throw std::runtime_error("a row that is none");
    in >> H(i, k);
  }
}

/// After "mu".
inline ContactRows take_contact(std::istream& in, bool moments) {
  ContactRows contact;
  in >> contact.mu;
  if (moments) {
    expect_word(in, "spin");
    in >> contact.spin;
    expect_word(in, "roll");
    in >> contact.roll;
    expect_word(in, "coupled");
    in >> contact.coupled;
  }
  expect_word(in, "b");
  for (int i = 0; i < (moments ? 6 : 3); ++i) in >> contact.b[i];
  expect_word(in, "columns");
  for (int& column : contact.columns) in >> column;
  expect_word(in, "H");
  take_rows(in, contact.H);
  return contact;
}

inline ProblemData from_text(const std::string& name, std::istream& in) {
  ProblemData data;
  data.name = name;
  int version = 0, size = 0, entries = 0, count = 0;
  expect_word(in, "contact-problem");
  in >> version;
  expect_word(in, "local");
  in >> data.local;
  expect_word(in, "position_level");
  in >> data.position_level;
  expect_word(in, "motion_tolerance");
  in >> data.motion_tolerance;
  if (version > 1) {
    expect_word(in, "pile_tolerance");
    in >> data.pile_tolerance;
    expect_word(in, "moments");
    in >> data.moments;
  }
  expect_word(in, "K");
  in >> size >> entries;
  data.K = Eigen::MatrixXd::Zero(size, size);
  for (int e = 0, i = 0, j = 0; e < entries && in; ++e) {
    in >> i >> j;
    if (i < 0 || i >= size || j < 0 || j >= size) throw std::runtime_error(name + ": not in K");
    in >> data.K(i, j);
  }
  expect_word(in, "contacts");
  in >> count;
  std::string word;
  in >> word;
  for (int c = 0; c < count && word == "mu"; ++c) {
    data.contacts.push_back(take_contact(in, data.moments));
    if (!(in >> word)) break;
    if (word != "F") continue;
    take_rows(in, data.contacts.back().F);
    data.contacts.back().turned = true;
    if (!(in >> word)) break;
  }
  if (static_cast<int>(data.contacts.size()) != count || !in.eof()) {
    throw std::runtime_error(name + ": not a contact problem");
  }
  return data;
}

inline ProblemData load(const std::string& name) {
  std::ifstream in(path_of(name));
  if (!in) throw std::runtime_error(path_of(name) + ": cannot be read");
  return from_text(name, in);
}

}  // namespace saltus::nonsmooth::test
