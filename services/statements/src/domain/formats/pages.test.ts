import { describe, expect, test } from "vitest";
import { aDay, camtOf, mt940Of } from "../../../test/files.ts";
import { parseStatements } from "../parse.ts";

const camt = (version = "08") => camtOf([aDay("2026-10-01", 500n, [{}], 17)], version);
const parse = (text: string) => parseStatements(new TextEncoder().encode(text), null);
const pageOf = (text: string) =>
  parse(text).map(({ number, isContinued, isInterim }) => [number, isContinued, isInterim]);
const paged = (text: string, page: number, isLast: boolean) =>
  text.replace("<FrToDt>", `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn><FrToDt>`);
const pagedMessage = (text: string, page: number, isLast: boolean) => {
  const paging = `<MsgPgntn><PgNb>${page}</PgNb><LastPgInd>${isLast}</LastPgInd></MsgPgntn>`;
  return text.replace("<BkToCstmrStmt>", `<BkToCstmrStmt><GrpHdr>${paging}</GrpHdr>`);
};

describe("a camt.053 of several pages", () => {
  test("says which page it is, of the statement or of the message", () => {
    expect(pageOf(camt())).toEqual([["17", false, false]]);
    for (const paging of [paged, pagedMessage]) {
      expect(pageOf(paging(camt("02"), 1, true))).toEqual([["17", false, false]]);
      expect(pageOf(paging(camt("02"), 1, false))).toEqual([["17/1", false, true]]);
      expect(pageOf(paging(camt("02"), 2, false))).toEqual([["17/2", true, true]]);
      expect(pageOf(paging(camt("02"), 2, true))).toEqual([["17/2", true, false]]);
    }
  });
  test("has balances between them: interim ones, or intermediate opening and closing ones", () => {
    const intermediate = "</CdOrPrtry><SubTp><Cd>INTM</Cd></SubTp>";
    const both = camt().replaceAll(/OPBD|CLBD/g, "ITBD");
    for (const [text, isContinued, isInterim] of [
      [camt().replace("CLBD", "ITBD"), false, true],
      [camt().replace("OPBD", "ITBD"), true, false],
      [both, true, true],
      [camt().replace("<Cd>CLBD</Cd></CdOrPrtry>", `<Cd>CLBD</Cd>${intermediate}`), false, true],
      [camt().replace("<Cd>OPBD</Cd></CdOrPrtry>", `<Cd>OPBD</Cd>${intermediate}`), true, false],
    ] as const) {
      expect(parse(text)).toMatchObject([{ opening: 500n, closing: 600n, isContinued, isInterim }]);
    }
  });
  test("is of the days of its lines where it is cut: each page may have the period of all", () => {
    const days = (text: string) => parse(text).map(({ from, to }) => [from, to]);
    const month = camt().replace("2026-10-01T23", "2026-10-31T23");
    expect(days(month)).toEqual([["2026-10-01", "2026-10-31"]]);
    const [of, balances] = [month.replace("2026-10-01T00", "2026-09-01T00"), /<Dt><Dt>2026-10-01(?=<.Dt><.Dt><.Bal>)/g];
    const dated = of.replaceAll(balances, "<Dt><Dt>2026-10-31");
    expect(days(paged(dated, 1, false))).toEqual([["2026-09-01", "2026-10-01"]]);
    expect(days(paged(dated, 2, false))).toEqual([["2026-10-01", "2026-10-01"]]);
    expect(days(paged(dated, 2, true))).toEqual([["2026-10-01", "2026-10-31"]]);
  });
  test("needs a number that counts where it goes on: nothing could be put in order after it", () => {
    const faultOf = (text: string) => {
      try {
        return parse(text).map(({ number }) => number);
      } catch (error) {
        const [fault] = (error as { errors?: { code: string; param: string }[] }).errors ?? [];
        return `${fault?.param}: ${fault?.code}`;
      }
    };
    const interim = mt940Of(aDay("2026-10-01", 500n, [{}], 17)).replace(":62F:", ":62M:");
    expect(faultOf(interim)).toEqual(["17/1"]);
    for (const number of [":28C:A17/1", ":28C:/1", ":28C:1234567890123/1", ":28C:17/100000", ":21:17"])
      expect(faultOf(interim.replace(/:28C:.*/, number))).toBe("line 2: not_numbered");
    const page = paged(camt(), 1, false);
    expect(faultOf(page)).toEqual(["17/1"]);
    // Without a sequence number its id is its number.
    expect(faultOf(page.replace(/<ElctrncSeqNb>.*<.ElctrncSeqNb>/, ""))).toBe("line 2: not_numbered");
    expect(faultOf(camt().replace(/<ElctrncSeqNb>.*<.ElctrncSeqNb>/, ""))).toEqual(["S17"]);
    expect(faultOf(interim.replace(/:28C:.*/, ":28C:A17").replace(":62M:", ":62F:"))).toEqual(["A17"]);
  });
  test("is refused if it has one balance, or several statements of which any may go on", () => {
    const code = (text: string) => {
      try {
        return parse(text).length;
      } catch (error) {
        return (error as { errors?: { code: string }[] }).errors?.[0]?.code;
      }
    };
    expect(
      code(
        camt()
          .replace(/<Bal>.*?<Cd>OPBD.*?<\/Bal>/, "")
          .replace("CLBD", "ITBD"),
      ),
    ).toBe("missing");
    const two = camtOf([aDay("2026-10-01", 500n, [{}], 17), aDay("2026-10-02", 600n, [{}], 18)]);
    expect([code(pagedMessage(two, 1, true)), code(pagedMessage(two, 1, false))]).toEqual([2, "missing"]);
  });
});
