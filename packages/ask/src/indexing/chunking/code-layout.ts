import { cutCost, type LayOut, plainLayout } from './layout.ts'

/** What ends a block rather than starts one. */
const closing = /^(?:[)\]}>]|end\b|else\b|elif\b|except\b|finally\b|catch\b)/

/** Code is split between definitions: after a blank line, before an unindented line. */
export const codeLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const { text = '' } = lines[at] ?? {}
    const isAtMargin = !/^\s/.test(text) && !closing.test(text)
    if (lines[at - 1]?.isBlank ?? true) return isAtMargin ? cutCost.part : cutCost.item
    return isAtMargin ? cutCost.line : cutCost.inside
  })
