import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findPlaces } from "../src/places.ts";

describe("findPlaces", () => {
  it("answers three origins of literal loopback that are not the same", async () => {
    const places = Object.values(await findPlaces());
    expect(new Set(places).size).toBe(3);
    for (const origin of places) expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("takes another port than one that is taken", async () => {
    const { backend } = await findPlaces();
    const holder = createServer().listen(Number(new URL(backend).port), "127.0.0.1");
    await once(holder, "listening");
    expect((await findPlaces()).backend).not.toBe(backend);
    holder.close();
    await once(holder, "close");
  });
});
