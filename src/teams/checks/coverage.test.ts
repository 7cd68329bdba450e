import { expect, test } from "vitest";
import { COVERAGE_FORMATS, THRESHOLD_FILES } from "./coverage.ts";

const read = (path: string, text: string) => COVERAGE_FORMATS.find((one) => one.path === path)?.read(text);
const needed = (path: string, text: string) => THRESHOLD_FILES.find((one) => one.path === path)?.read(text);

test.each([
  ["coverage/coverage-summary.json", '{"total":{"lines":{"pct":81.5}}}', 81.5],
  ["coverage/lcov.info", "SF:a.js\nLF:10\nLH:8\nend_of_record\nSF:b.js\nLF:10\nLH:10\nend_of_record\n", 90],
  ["coverage.xml", '<?xml version="1.0"?>\n<coverage version="7" line-rate="0.75" branch-rate="0">', 75],
  ["coverage.json", '{"totals":{"percent_covered":66.6}}', 66.6],
  ["coverage.out", "mode: set\na.go:1.2,3.4 3 1\na.go:5.1,6.2 1 0\n", 75],
  ["coverage/coverage-summary.json", "not JSON", undefined],
  ["coverage/lcov.info", "", undefined],
  ["coverage.xml", "<html>", undefined],
])("reads %s as the tool writes it", (path, text, percent) => expect(read(path, text)).toBe(percent));

test.each([
  ["package.json", '{"jest":{"coverageThreshold":{"global":{"lines":80}}}}', 80],
  ["package.json", '{"c8":{"lines":70}}', 70],
  [".nycrc", '{"lines":60}', 60],
  ["pyproject.toml", "[tool.coverage.report]\nfail_under = 85\n", 85],
  ["package.json", "{}", undefined],
])("reads the threshold in %s", (path, text, percent) => expect(needed(path, text)).toBe(percent));
