// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_operator.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
template <int N>
bool ContactOperator<N>::attach(const ContactProblem& problem, bool implicit) {
  problem_ = &problem;
  const std::size_t count = contacts();
  implicit_ = implicit && !local() && problem.rows() > FormTuning::largest_full;
  has_dense_ = false;
  data_.resize(count);
  columns_.resize(count);
  rho_.resize(count);
  movable_.resize(count);
  for (std::size_t c = 0; c < count; ++c) copy(c);
  number_bodies();
  if (local()) {
    for (Data& data : data_) data.D = data.H.transpose().lazyProduct(data.Y);
  } else if (implicit_) {
    for (std::size_t c = 0; c < count; ++c) estimate_block(c);
  } else {
    form_global();
  }
  add_springs();
  return set_scales();
}

// u_n = c (l_n − load) vanishes with the load. Rows that nothing moves are as good as given: what
// resists along them is undetermined at rest, and a spring of next to nothing makes it none.
template <int N>
void ContactOperator<N>::add_springs() {
  springs_.assign(contacts(), Vector::Zero());
  has_springs_ = false;
  for (std::size_t c = 0; c < contacts(); ++c) {
    if (problem_->contacts[c].is_loaded) add_spring(c);
  }
}

template <int N>
void ContactOperator<N>::add_spring(std::size_t c) {
  Data& data = data_[c];
  has_springs_ = true;
  double free = 0;
  for (int row = 1; row < N; ++row) free = std::max(free, free_mobility(c, row, 0, 12));
  double most = free;
  for (int row = 1; row < N; ++row) most = std::max(most, data.D(row, row));
  if (!(most > 0)) most = 1;
  Vector& spring = springs_[c];
  spring[0] = most;
  for (int row = 1; row < N; ++row) {
    if (data.H.col(row).isZero(0)) {
      spring[row] = most;
    } else if (!(data.D(row, row) > RoundOff::immovable * free)) {
      spring[row] = RoundOff::given_motion * most;
    }
  }
  data.D.diagonal() += spring;
  data.b[0] = -spring[0] * problem_->contacts[c].load;
  if (!has_dense_) return;
  const std::size_t rows = N * contacts();
  for (std::size_t row = N * c; row < N * (c + 1); ++row) {
    dense_[row * rows + row] += spring[static_cast<Eigen::Index>(row - N * c)];
  }
}

template <int N>
void ContactOperator<N>::copy(std::size_t c) {
  const ContactRows& contact = problem_->contacts[c];
  Data& data = data_[c];
  data.H = contact.H.topRows<N>().transpose();
  data.Y = contact.Y.leftCols<N>();
  data.b = contact.b.head<N>();
  for (std::size_t k = 0; k < 12; ++k) {
    const int column = contact.columns[k];
    columns_[c][k] = column < 0 ? size() : column;
  }
  data.starts = {start_of(c, 0), start_of(c, 6)};
}

// Six unknowns in a row, or as good as that: where one is absent, H and Y are 0, and what stands
// there in w is not changed.
template <int N>
int ContactOperator<N>::start_of(std::size_t c, std::size_t first) const {
  int start = size();
  for (std::size_t k = 0; k < 6; ++k) {
    const int column = columns_[c][first + k];
    if (column == size()) {
      const auto row = static_cast<Eigen::Index>(first + k);
      if (!data_[c].H.row(row).isZero(0) || !data_[c].Y.row(row).isZero(0)) return -1;
      continue;
    }
    const int found = column - static_cast<int>(k);
    if (found < 0 || (start != size() && found != start)) return -1;
    start = found;
  }
  return start;
}

// Where the bodies' motions are in w.
template <int N>
void ContactOperator<N>::number_bodies() {
  const auto in_a_row = [](const Data& data) { return data.starts[0] >= 0 && data.starts[1] >= 0; };
  has_bodies_ = local() && std::ranges::all_of(data_, in_a_row);
  if (!has_bodies_) {
    w_.assign(static_cast<std::size_t>(size()) + 6, 0.0);
    return;
  }
  const auto places = static_cast<std::size_t>(size()) + 1;
  if (places_.size() < places) places_.resize(places), stamps_.resize(places, stamp_);
  ++stamp_;
  int next = 0;
  for (Data& data : data_) {
    for (int& start : data.starts) {
      const auto first = static_cast<std::size_t>(start);
      if (stamps_[first] != stamp_) {
        stamps_[first] = stamp_;
        places_[first] = next;
        next += 6;
      }
      start = places_[first];
    }
  }
  w_.assign(static_cast<std::size_t>(next), 0.0);
}

template <int N>
typename ContactOperator<N>::Rows ContactOperator<N>::directions(std::size_t c) const {
  const ContactRows& contact = problem_->contacts[c];
  return contact.turned ? Rows(contact.F.topRows<N>().transpose()) : data_[c].H;
}

// K⁻¹Fᵀ, some columns at a time. Contacts that have an unknown in common with few others still move
// all bodies that joints or elements connect, so all of D is computed.
template <int N>
void ContactOperator<N>::form_global() {
  constexpr std::size_t at_once = FormTuning::contacts_at_once;
  const std::size_t count = contacts();
  const std::size_t rows = N * count;
  dense_.resize(rows * rows);
  columns_of_inverse_.resize(size(), N * at_once);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t last = std::min(first + at_once, count);
    columns_of_inverse_.setZero();
    for (std::size_t c = first; c < last; ++c) set_directions(c, first);
    const auto used = static_cast<Eigen::Index>(N * (last - first));
    problem_->factorization->solve_columns_in_place(columns_of_inverse_.leftCols(used));
    for (std::size_t column = N * first; column < N * last; ++column) {
      const auto y = columns_of_inverse_.col(static_cast<Eigen::Index>(column - N * first));
      std::copy(y.data(), y.data() + size(), w_.begin());
      double* D = dense_.data() + column * rows;
      for (std::size_t other = 0; other < count; ++other) {
        const Vector u = product(other);
        std::copy(u.data(), u.data() + N, D + N * other);
        if (other == column / N) data_[other].D.col(static_cast<Eigen::Index>(column % N)) = u;
      }
    }
  }
  has_dense_ = true;
}

// The mobility of a contact's own unknowns, all others held: of elements that is less than the true
// one, of joined bodies more. What has none (only what is tied to it moves) is computed.
template <int N>
void ContactOperator<N>::estimate_block(std::size_t c) {
  const linalg::SparsityPattern& pattern = problem_->K->pattern();
  Eigen::Map<Eigen::MatrixXd> K = own_.matrix(12);
  K.setIdentity();
  for (Eigen::Index j = 0; j < 12; ++j) {
    for (Eigen::Index i = 0; i < 12; ++i) {
      const int row = columns_[c][static_cast<std::size_t>(i)];
      const int column = columns_[c][static_cast<std::size_t>(j)];
      if (row == size() || column == size()) continue;
      const int slot = pattern.slot(row, column);
      K(i, j) = slot < 0 ? 0 : problem_->K->values()[static_cast<std::size_t>(slot)];
    }
  }
  if (!own_.factorize(FormTuning::singular_pivot)) return find_block(c);
  Rows Y = directions(c);
  for (int k = 0; k < N; ++k) own_.solve_in_place(Y.col(k));
  data_[c].D = data_[c].H.transpose().lazyProduct(Y);
  if (!(data_[c].D.diagonal().template head<3>().minCoeff() > 0)) find_block(c);
}

// D_cc by back-solves.
template <int N>
void ContactOperator<N>::find_block(std::size_t c) {
  columns_of_inverse_.setZero(size(), N);
  set_directions(c, c);
  problem_->factorization->solve_columns_in_place(columns_of_inverse_);
  for (int k = 0; k < N; ++k) {
    std::copy(columns_of_inverse_.col(k).data(), columns_of_inverse_.col(k).data() + size(),
              w_.begin());
    data_[c].D.col(k) = product(c);
  }
}

/// Fᵀ of contact c, in the columns that begin with those of the contact `first`.
template <int N>
void ContactOperator<N>::set_directions(std::size_t c, std::size_t first) {
  const Rows F = directions(c);
  for (int k = 0; k < N; ++k) {
    auto y = columns_of_inverse_.col(static_cast<Eigen::Index>(N * (c - first)) + k);
    for (std::size_t j = 0; j < 12; ++j) {
      const int row = columns_[c][j];
      if (row < size()) y[row] += F(static_cast<Eigen::Index>(j), k);
    }
  }
}

template <int N>
void ContactOperator<N>::form_from_bodies() {
  const std::size_t count = contacts();
  const std::size_t rows = N * count;
  dense_.resize(rows * rows);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < N; ++k) {
      scatter(c, Vector::Unit(static_cast<Eigen::Index>(k)));
      double* column = dense_.data() + (N * c + k) * rows;
      for (std::size_t other = 0; other < count; ++other) {
        const Vector u = product(other);
        std::copy(u.data(), u.data() + N, column + N * other);
      }
      for (std::size_t j = 0; j < 12; ++j) w_[place_of(c, j)] = 0;
    }
  }
  has_dense_ = true;
}

template <int N>
bool ContactOperator<N>::set_scales() {
  double largest = 0, smallest = 0, heaviest = 0, sum = 0;
  bool finite = true;
  for (std::size_t c = 0; c < contacts(); ++c) {
    const Data& data = data_[c];
    const ContactRows& contact = problem_->contacts[c];
    finite = finite && data.D.allFinite() && data.b.allFinite() && contact.mu >= 0;
    if (N > 3) finite = finite && contact.spin >= 0 && contact.roll >= 0;
    set_cone(c);
    set_tangential_mobility(c);
    const double normal = data.D(0, 0);
    double first = side_mobility(c, 0), second = side_mobility(c, 6);
    if (contact.is_loaded) first = second = normal;
    finite = finite && (normal > 0 || (normal == 0 && first + second == 0));  // no pulling
    const bool moves = normal > 0 && (local() || normal > RoundOff::immovable * (first + second));
    movable_[c] = moves ? 1 : 0;
    rho_[c] = moves ? 3 / data.D.template topLeftCorner<3, 3>().trace() : 0;
    if (!moves) continue;
    largest = std::max(largest, rho_[c]);
    heaviest = std::max({heaviest, first > 0 ? 1 / first : 0, second > 0 ? 1 / second : 0});
    smallest = smallest > 0 ? std::min(smallest, rho_[c]) : rho_[c];
    sum += data.b.template head<3>().squaredNorm();
  }
  spread_ = smallest > 0 ? largest / smallest : 1;
  reference_ = heaviest * std::sqrt(sum);
  return finite && std::isfinite(sum);
}

template <int N>
void ContactOperator<N>::set_tangential_mobility(std::size_t c) {
  const Matrix3 D = data_[c].D.template topLeftCorner<3, 3>();
  const double d = (D(1, 1) + D(2, 2)) / 2;
  const Matrix3 rest = D - Matrix3(Vector3(D(0, 0), d, d).asDiagonal());
  const bool isotropic =
      N == 3 && d > 0 && rest.cwiseAbs().maxCoeff() <= FormTuning::nearly_diagonal * D.trace();
  data_[c].d = isotropic ? d : 0;
}

// Moments that move nothing are absent: with a bound they would be undetermined.
template <int N>
void ContactOperator<N>::set_cone(std::size_t c) {
  const ContactRows& contact = problem_->contacts[c];
  if constexpr (N == 3) {
    data_[c].cone = contact.mu;
  } else {
    const bool spins = resists(c, 3, 1);
    data_[c].cone = {.slide = contact.mu,
                     .spin = spins ? contact.spin : 0,
                     .roll = resists(c, 4, 2) ? contact.roll : 0,
                     .coupled = contact.coupled && spins};
  }
}

template <int N>
bool ContactOperator<N>::resists(std::size_t c, int first, int count) const {
  double mobility = 0, free = 0;
  for (int row = first; row < first + count; ++row) {
    mobility += data_[c].D(row, row);
    if (!local()) free += free_mobility(c, row, 0, 12);
  }
  return mobility > RoundOff::immovable * free;
}

// The mobility along the normal of the unknowns of one side, columns first … first + 5.
template <int N>
double ContactOperator<N>::side_mobility(std::size_t c, int first) const {
  if (!local()) return free_mobility(c, 0, first, 6);
  const Data& data = data_[c];
  return data.H.col(0).template segment<6>(first).dot(data.Y.col(0).template segment<6>(first));
}

// Σ ‖H‖² / K of a row: as if nothing held the unknowns but their own inertia and stiffness. Three
// translations or three rotations of a body have the largest K of the three: about itself a slender
// rod has no inertia, and what is left there is round-off. Nodes without mass have only what is
// tied to them, and count for nothing.
template <int N>
double ContactOperator<N>::free_mobility(std::size_t c, int row, int first, int count) const {
  double sum = 0;
  for (int side = first; side < first + count; side += 6) {
    for (int triple = side; triple < side + 6; triple += 3) {
      const double K = largest_diagonal(c, triple);
      if (!(K > 0) && triple == side) break;
      const double square = data_[c].H.col(row).template segment<3>(triple).squaredNorm();
      if (K > 0) sum += square / K;
    }
  }
  return sum;
}

// Of the columns first, first + 1, first + 2 of a contact; 0 if they are no unknowns.
template <int N>
double ContactOperator<N>::largest_diagonal(std::size_t c, int first) const {
  double largest = 0;
  for (int k = first; k < first + 3; ++k) {
    const int column = columns_[c][static_cast<std::size_t>(k)];
    if (column != size()) largest = std::max(largest, diagonal(column));
  }
  return largest;
}

template <int N>
double ContactOperator<N>::diagonal(int unknown) const {
  const int slot = problem_->K->pattern().slot(unknown, unknown);
  return slot < 0 ? 0 : problem_->K->values()[static_cast<std::size_t>(slot)];
}

template <int N>
void ContactOperator<N>::move_bodies(const Vectors& l) {
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < l.size(); ++c) scatter(c, l[c]);
}

template <int N>
void ContactOperator<N>::multiply(const Vectors& l, Vectors& y) {
  y.resize(l.size());
  if (!local() && !implicit_) {
    flat<N>(y).noalias() = dense() * flat<N>(l);
    return;
  }
  implicit_ ? move_all(l) : move_bodies(l);
  for (std::size_t c = 0; c < l.size(); ++c) y[c] = product(c) + springs_[c].cwiseProduct(l[c]);
}

template <int N>
void ContactOperator<N>::motion(const Vectors& l, Vectors& u) {
  multiply(l, u);
  for (std::size_t c = 0; c < l.size(); ++c) u[c] += data_[c].b;
}

template <int N>
void ContactOperator<N>::response(const Vectors& l, Eigen::VectorXd& w) {
  const int n = size();
  if (w.size() != n) w.setZero(n);
  if (local()) {
    move_bodies(l);
    for (std::size_t c = 0; c < l.size(); ++c) {
      for (std::size_t k = 0; k < 12; ++k) {
        const int column = columns_[c][k];
        if (column < n) w[column] = w_[place_of(c, k)];
      }
    }
    return;
  }
  move_all(l);
  w = Eigen::Map<const Eigen::VectorXd>(w_.data(), n);
}

// w = K⁻¹Fᵀl, all of it.
template <int N>
void ContactOperator<N>::move_all(const Vectors& l) {
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < l.size(); ++c) {
    const Local force = directions(c) * l[c];
    for (std::size_t k = 0; k < 12; ++k) {
      w_[static_cast<std::size_t>(columns_[c][k])] += force[static_cast<Eigen::Index>(k)];
    }
  }
  std::fill(w_.begin() + size(), w_.end(), 0.0);
  problem_->factorization->solve_in_place(Eigen::Map<Eigen::VectorXd>(w_.data(), size()));
}

template <int N>
Eigen::Map<const Eigen::MatrixXd> ContactOperator<N>::dense() {
  if (!has_dense_) local() ? form_from_bodies() : form_global();
  const auto rows = N * static_cast<Eigen::Index>(contacts());
  return {dense_.data(), rows, rows};
}

template class ContactOperator<3>;
template class ContactOperator<6>;

}  // namespace saltus::nonsmooth
