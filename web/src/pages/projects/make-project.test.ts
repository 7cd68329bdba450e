import { expect, test } from "vitest";
import { nameOfFolder } from "./make-project.ts";

test("a project is named after its folder", () => {
  expect(["/srv/my-shop", "/srv/my_shop/", "C:\\code\\Shop", "/"].map(nameOfFolder)).toEqual([
    "My shop",
    "My shop",
    "Shop",
    "",
  ]);
});
