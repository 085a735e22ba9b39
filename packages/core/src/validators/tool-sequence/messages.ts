import type { Locale } from '../../contract/locale.ts'
import { quote, quoteToolName } from '../../contract/quote.ts'
import { shortList } from '../../schema/evaluate/show.ts'
import type { SequenceRules, Violation } from './automaton.ts'
import type { Difference } from './compare.ts'

interface SequenceMessages {
  instruct(rules: SequenceRules): string
  violation(tool: string, violation: Exclude<Violation, { rule: 'expect' }>): string
  /** For a tool that had to be called in an earlier turn. */
  late(tool: string, later: string): string
  legal(tools: readonly string[]): string
  difference(tool: string, difference: Difference): string
  expected(tools: readonly string[]): string
}

function list(names: readonly string[]): string {
  return shortList(names.map(quote))
}

/** What the messages on the order of tool calls say, by language. */
export const sequenceMessages: Readonly<Record<Locale, SequenceMessages>> = {
  en: {
    instruct: ({ order = [], expect = [], before = [], requires = {}, never = [], at_most = {} }) =>
      [
        ...(order.length > 0 ? [`Call these tools in this order: ${list(order)}.`] : []),
        ...(expect.length > 0 ? [`These tool calls are expected: ${list(expect)}.`] : []),
        ...before.map(([first, second]) => `Call ${quote(first)} before ${quote(second)}.`),
        ...Object.entries(requires).map(([tool, needed]) => `Call ${quote(tool)} only after these have succeeded: ${list(needed)}.`),
        ...(never.length > 0 ? [`Never call ${list(never)}.`] : []),
        ...Object.entries(at_most).map(([tool, limit]) =>
          limit === 0 ? `Never call ${quote(tool)}.` : `Call ${quote(tool)} at most ${times(limit)}.`,
        ),
      ].join(' ') || 'Call tools in the order that the task needs.',
    violation: (tool, found) => {
      switch (found.rule) {
        case 'order':
          return `Call ${quote(tool)} before ${quote(found.later)}, which has been called already.`
        case 'before':
          return `Call ${quote(found.needed)} before ${quote(tool)}; it has not been called.`
        case 'requires':
          return `Call ${quote(tool)} only after ${quote(found.needed)} has succeeded; it has not.`
        case 'never':
          return `Do not call ${quote(tool)}; it is not allowed here.`
        case 'at_most':
          return found.limit === 0
            ? `Do not call ${quote(tool)}; it is not allowed here.`
            : `Call ${quote(tool)} at most ${times(found.limit)}; this is call ${found.count}.`
      }
    },
    late: (tool, later) => `Leave out the call of ${quote(tool)}; ${quote(later)} comes after it and has been called already.`,
    legal: (tools) => (tools.length === 0 ? 'Answer without it' : `Call one of ${list(tools)}, or answer without it`),
    difference: (tool, found) => {
      switch (found.code) {
        case 'UNEXPECTED_CALL':
          return `Leave out the call of ${quoteToolName(tool)}; it is not expected here.`
        case 'MISSING_CALL':
          return `Call ${quote(tool)}; it is expected and was not called.`
        case 'OUT_OF_ORDER':
          return tool === found.expected
            ? `Call ${quote(tool)} later; it is expected after other calls.`
            : `Call ${quote(found.expected)} before ${quoteToolName(tool)}; ${quoteToolName(tool)} was called first.`
      }
    },
    expected: (tools) => `Expected calls: ${list(tools)}`,
  },
  de: {
    instruct: ({ order = [], expect = [], before = [], requires = {}, never = [], at_most = {} }) =>
      [
        ...(order.length > 0 ? [`Rufe diese Tools in dieser Reihenfolge auf: ${list(order)}.`] : []),
        ...(expect.length > 0 ? [`Diese Tool-Aufrufe werden erwartet: ${list(expect)}.`] : []),
        ...before.map(([first, second]) => `Rufe ${quote(first)} vor ${quote(second)} auf.`),
        ...Object.entries(requires).map(([tool, needed]) => `Rufe ${quote(tool)} erst auf, wenn diese erfolgreich waren: ${list(needed)}.`),
        ...(never.length > 0 ? [`Rufe niemals ${list(never)} auf.`] : []),
        ...Object.entries(at_most).map(([tool, limit]) =>
          limit === 0 ? `Rufe niemals ${quote(tool)} auf.` : `Rufe ${quote(tool)} höchstens ${limit}-mal auf.`,
        ),
      ].join(' ') || 'Rufe Tools in der Reihenfolge auf, die die Aufgabe verlangt.',
    violation: (tool, found) => {
      switch (found.rule) {
        case 'order':
          return `Rufe ${quote(tool)} vor ${quote(found.later)} auf; dieses wurde schon aufgerufen.`
        case 'before':
          return `Rufe ${quote(found.needed)} vor ${quote(tool)} auf; es wurde noch nicht aufgerufen.`
        case 'requires':
          return `Rufe ${quote(tool)} erst auf, wenn ${quote(found.needed)} erfolgreich war; das ist nicht der Fall.`
        case 'never':
          return `Rufe ${quote(tool)} nicht auf; es ist hier nicht erlaubt.`
        case 'at_most':
          return found.limit === 0
            ? `Rufe ${quote(tool)} nicht auf; es ist hier nicht erlaubt.`
            : `Rufe ${quote(tool)} höchstens ${found.limit}-mal auf; dies ist Aufruf ${found.count}.`
      }
    },
    late: (tool, later) => `Lass den Aufruf von ${quote(tool)} weg; ${quote(later)} kommt danach und wurde schon aufgerufen.`,
    legal: (tools) =>
      tools.length === 0 ? 'Antworte ohne diesen Aufruf' : `Rufe eines von ${list(tools)} auf, oder antworte ohne diesen Aufruf`,
    difference: (tool, found) => {
      switch (found.code) {
        case 'UNEXPECTED_CALL':
          return `Lass den Aufruf von ${quoteToolName(tool)} weg; er wird hier nicht erwartet.`
        case 'MISSING_CALL':
          return `Rufe ${quote(tool)} auf; es wird erwartet und wurde nicht aufgerufen.`
        case 'OUT_OF_ORDER':
          return tool === found.expected
            ? `Rufe ${quote(tool)} später auf; es wird nach anderen Aufrufen erwartet.`
            : `Rufe ${quote(found.expected)} vor ${quoteToolName(tool)} auf; ${quoteToolName(tool)} wurde zuerst aufgerufen.`
      }
    },
    expected: (tools) => `Erwartete Aufrufe: ${list(tools)}`,
  },
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
