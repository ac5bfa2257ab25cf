// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/study_table.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "saltus/io/csv_writer.hpp"

namespace saltus::study {
namespace {

/// Only one at a time looks and writes: the last one sees what all have done.
class TableLock {
 public:
  explicit TableLock(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~TableLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  TableLock(const TableLock&) = delete;
  TableLock& operator=(const TableLock&) = delete;

 private:
  int descriptor_;
};

std::vector<std::string> header_of(const Study& study) {
  std::vector<std::string> header = {"case"};
  for (const Spread& spread : study.parameters) header.push_back(spread.pointer);
  for (const Metric& metric : study.metrics) header.push_back(metric.name);
  header.emplace_back("status");
  return header;
}

void put(io::CsvWriter& file, const io::Json& value) {
  if (value.is_number()) {
    file.put(value.number());
  } else {
    file.put(value.is_string() ? value.text() : value.dump());
  }
}

void put_row(io::CsvWriter& file, int number, const std::vector<io::Json>& values,
             const CaseOutcome& outcome) {
  file.put(static_cast<double>(number));
  for (const io::Json& value : values) put(file, value);
  for (const std::optional<double>& metric : outcome.metrics) {
    if (metric) {
      file.put(*metric);
    } else {
      file.put(std::string_view());
    }
  }
  file.put(outcome.status);
  file.end_row();
}

void count(CaseCounts& counts, const std::string& status) {
  if (status == "completed") ++counts.completed;
  if (status == "failed") ++counts.failed;
  if (status == "invalid") ++counts.invalid;
  if (status == "crashed") ++counts.crashed;
}

/// A table that is put in place when it is whole.
class Draft {
 public:
  Draft(const std::filesystem::path& path, const std::vector<std::string>& header)
      : path_(path), draft_(path.string() + ".part"), file_(draft_, header) {}

  io::CsvWriter& file() { return file_; }
  void finish() {
    file_.close();
    std::error_code error;
    std::filesystem::rename(draft_, path_, error);
    if (error) throw FileError(path_.string() + ": cannot be written: " + error.message());
  }

 private:
  std::filesystem::path path_, draft_;
  io::CsvWriter file_;
};

}  // namespace

CaseCounts write_tables(const Study& study, const Cases& cases, const CaseRunner& runner,
                        const std::set<int>& crashed, const std::filesystem::path& directory) {
  const TableLock lock(directory / ".table.lock");
  Draft table(directory / "cases.csv", header_of(study));
  const std::vector<std::string> failure_header = {"case", "status", "reason"};
  Draft failures(directory / "failures.csv", failure_header);
  CaseCounts counts;
  for (int number = 1; number <= cases.count(); ++number) {
    std::optional<CaseOutcome> outcome = runner.outcome(number);
    if (!outcome && crashed.contains(number)) {
      outcome = CaseOutcome{"crashed", "the process that ran it died",
                            std::vector<std::optional<double>>(study.metrics.size())};
    }
    if (!outcome) {
      ++counts.missing;
      continue;
    }
    count(counts, outcome->status);
    put_row(table.file(), number, cases.values(number), *outcome);
    if (outcome->status == "completed") continue;
    failures.file().put(static_cast<double>(number));
    failures.file().put(outcome->status);
    failures.file().put(outcome->reason);
    failures.file().end_row();
  }
  table.finish();
  failures.finish();
  return counts;
}

}  // namespace saltus::study
