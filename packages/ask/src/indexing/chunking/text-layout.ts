import { cutCost, type LayOut, plainLayout } from './layout.ts'

/** Plain text is split between paragraphs, else after sentences that end a line. */
export const textLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const before = lines[at - 1]
    if (before === undefined || before.isBlank) return cutCost.part
    return /[.!?…]["')\]]?\s*$/.test(before.text.slice(-8)) ? cutCost.item : cutCost.line
  })
