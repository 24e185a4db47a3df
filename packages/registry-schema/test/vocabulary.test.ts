import { isPublishing, moreSevere, RISK_CLASSES } from "@eve/registry-schema";
import { expect, it } from "vitest";

it("orders the risk classes read < write < publish < destructive", () => {
  const order = ["read", "write", "publish", "destructive"] as const;
  expect(RISK_CLASSES).toEqual(order);
  order.forEach((a, i) => order.forEach((b, j) => expect(moreSevere(a, b)).toBe(i >= j ? a : b)));
});

it("asks for another reviewer and for consent from publish upwards", () => {
  expect(RISK_CLASSES.filter(isPublishing)).toEqual(["publish", "destructive"]);
});
