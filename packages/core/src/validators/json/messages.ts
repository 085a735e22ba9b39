import type { Locale } from '../../contract/locale.ts'
import { jsonFaults } from './faults.ts'

interface JsonMessages {
  instruct(hasSchema: boolean): string
  readonly missing: readonly [string, string]
  readonly truncated: readonly [string, string]
  /** `fault` is the repair that would correct it, or why it is not read. */
  invalid(fault: string, line: number, column: number): readonly [string, string]
  ambiguous(line: number, column: number): readonly [string, string]
  around(before: number, after: number): readonly [string, string]
  duplicate(path: string): readonly [string, string]
}

/** What the messages on JSON say, by language. */
export const jsonMessages: Readonly<Record<Locale, JsonMessages>> = {
  en: {
    instruct: (hasSchema) => `Answer with one JSON value${hasSchema ? ' that matches the schema' : ''} and nothing else.`,
    missing: [
      'Answer with one JSON value; the answer has none.',
      'Write an object, an array or another JSON value, alone or in one code block',
    ],
    truncated: ['Write the JSON value to its end; the answer ends before the value does.', 'Answer more briefly, so that the value fits'],
    invalid: (fault, line, column) => {
      const [fact, hint] = jsonFaults.en[fault] ?? ['it is not JSON', 'Write an object, an array, or another JSON value']
      return [`Correct the JSON at line ${line}, column ${column}: ${fact}.`, hint]
    },
    ambiguous: (line, column) => [
      `Answer with one JSON value; another one begins at line ${line}, column ${column}.`,
      'Leave out the values that are not the answer, or put them all into one array',
    ],
    around: (before, after) => [
      `Answer with the JSON value alone; ${before === 1 ? '1 character comes' : `${before} characters come`} before it and ${after} after it.`,
      'Leave out prose, code fences and reasoning',
    ],
    duplicate: (path) => [`Write the key ${path} once; it occurs twice, with different values.`, 'Write every key of an object once'],
  },
  de: {
    instruct: (hasSchema) => `Antworte mit einem JSON-Wert${hasSchema ? ', der dem Schema entspricht,' : ''} und sonst nichts.`,
    missing: [
      'Antworte mit einem JSON-Wert; die Antwort hat keinen.',
      'Schreibe ein Objekt, eine Liste oder einen anderen JSON-Wert, allein oder in einem Codeblock',
    ],
    truncated: ['Schreibe den JSON-Wert bis zu seinem Ende; die Antwort endet vor ihm.', 'Antworte kürzer, damit der Wert hineinpasst'],
    invalid: (fault, line, column) => {
      const [fact, hint] = jsonFaults.de[fault] ?? ['es ist kein JSON', 'Schreibe ein Objekt, eine Liste oder einen anderen JSON-Wert']
      return [`Korrigiere das JSON in Zeile ${line}, Spalte ${column}: ${fact}.`, hint]
    },
    ambiguous: (line, column) => [
      `Antworte mit einem JSON-Wert; in Zeile ${line}, Spalte ${column} beginnt ein weiterer.`,
      'Lass die Werte weg, die nicht die Antwort sind, oder schreibe alle in eine Liste',
    ],
    around: (before, after) => [
      `Antworte nur mit dem JSON-Wert; davor ${before === 1 ? 'steht 1' : `stehen ${before}`} Zeichen und danach ${after}.`,
      'Lass Text, Codeblöcke und Überlegungen weg',
    ],
    duplicate: (path) => [
      `Schreibe den Schlüssel ${path} einmal; er kommt zweimal vor, mit verschiedenen Werten.`,
      'Schreibe jeden Schlüssel eines Objekts einmal',
    ],
  },
}
