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
  readonly lines: LineMessages
}

/** The same where each line is a value. */
interface LineMessages {
  instruct(hasSchema: boolean): string
  readonly missing: readonly [string, string]
  /** Puts the line before a message that does not have it. */
  inLine(line: number, message: string): string
  around(before: number, after: number): readonly [string, string]
  prose(line: number): readonly [string, string]
  several(line: number, lastLine: number): readonly [string, string]
  /** Several values are on one line. */
  together(line: number, count: number): readonly [string, string]
  list(line: number, count: number): readonly [string, string]
  /** Comes behind the message of the last issue. */
  unseen(count: number): string
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
    lines: {
      instruct: (hasSchema) =>
        `Answer with JSON values${hasSchema ? ' that each match the schema' : ''}, one per line, without a list around them, and nothing else.`,
      missing: ['Answer with JSON values, one per line; the answer has none.', 'Write every object or other value on one line of its own'],
      inLine: (line, message) => `In line ${line}: ${message}`,
      around: (before, after) => [
        `Answer with the JSON lines alone; ${before === 1 ? '1 character comes' : `${before} characters come`} before them and ${after} after them.`,
        'Leave out prose, code fences and reasoning',
      ],
      prose: (line) => [
        `Write nothing but JSON values between the lines; line ${line} is none.`,
        'Leave out what is no value, or write it as one',
      ],
      several: (line, lastLine) => [
        `Write each value on one line; the one that begins in line ${line} ends in line ${lastLine}.`,
        'Leave out line breaks and indentation inside of a value',
      ],
      list: (line, count) => [
        `Write each value on a line of its own, without a list around them; line ${line} begins a list of ${count}.`,
        'Leave out the brackets around the values, and the commas between them',
      ],
      together: (line, count) => [`Write one value per line; line ${line} has ${count}.`, 'Begin a new line after each value'],
      unseen: (count) => (count === 1 ? '1 more line was not looked at.' : `${count} more lines were not looked at.`),
    },
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
    lines: {
      instruct: (hasSchema) =>
        `Antworte mit JSON-Werten${hasSchema ? ', die jeder dem Schema entsprechen' : ''}, einem je Zeile, ohne eine Liste darum und sonst nichts.`,
      missing: [
        'Antworte mit JSON-Werten, einem je Zeile; die Antwort hat keinen.',
        'Schreibe jedes Objekt und jeden anderen Wert in eine eigene Zeile',
      ],
      inLine: (line, message) => `In Zeile ${line}: ${message}`,
      around: (before, after) => [
        `Antworte nur mit den JSON-Zeilen; davor ${before === 1 ? 'steht 1' : `stehen ${before}`} Zeichen und danach ${after}.`,
        'Lass Text, Codeblöcke und Überlegungen weg',
      ],
      prose: (line) => [
        `Schreibe zwischen den Zeilen nur JSON-Werte; Zeile ${line} ist keiner.`,
        'Lass weg, was kein Wert ist, oder schreibe es als Wert',
      ],
      several: (line, lastLine) => [
        `Schreibe jeden Wert in eine Zeile; der aus Zeile ${line} endet in Zeile ${lastLine}.`,
        'Lass Zeilenumbrüche und Einrückungen in Werten weg',
      ],
      list: (line, count) => [
        `Schreibe jeden Wert in eine eigene Zeile, ohne eine Liste darum; in Zeile ${line} beginnt eine Liste mit ${count}.`,
        'Lass die Klammern um die Werte und die Kommas zwischen ihnen weg',
      ],
      together: (line, count) => [`Schreibe je Zeile einen Wert; Zeile ${line} hat ${count}.`, 'Beginne nach jedem Wert eine neue Zeile'],
      unseen: (count) => (count === 1 ? '1 weitere Zeile wurde nicht angesehen.' : `${count} weitere Zeilen wurden nicht angesehen.`),
    },
  },
}
