import type { TextPosition } from '../../answer/span.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import type { Path } from './faults/value-order.ts'
import { more, type SoundMessages, soundMessages, weitere } from './sound-messages.ts'
import { englishTypes, germanTypes, listNames, pathLabel, typeLabel, valueLabel } from './words.ts'

interface ToolCallMessages extends SoundMessages {
  invalidJson(tool: string, place: TextPosition, found: string): string
  readonly jsonHint: string
  readonly rangeHint: string
  notObject(tool: string, kind: string): string
  readonly objectHint: string
  readonly duplicateHint: string
  cut(tool: string): string
  readonly cutHint: string
  missing(tool: string, path: Path): string
  wrongType(tool: string, path: Path, expected: readonly string[], found: string): string
  invalidEnum(tool: string, path: Path, members: readonly unknown[], value: unknown): string
  unknownArgument(tool: string, path: Path): string
  declared(names: ReadonlySet<string>): string
  /** Around what a schema says. */
  schema(tool: string, message: string): string
  didYouMean(name: string): string
  readonly empty: string
  inText(tools: readonly string[], line: number): string
  readonly cutInText: string
}

/** What the messages on tool calls say, by language. */
export const toolCallMessages: Readonly<Record<Locale, ToolCallMessages>> = {
  en: {
    ...soundMessages.en,
    invalidJson: (tool, { line, column }, found) =>
      `Write the arguments of ${quote(tool)} as valid JSON; at line ${line}, column ${column} they ${found === '' ? 'end too early' : `have ${quoteJson(found)}`}.`,
    rangeHint: 'Write a number below 1.8e308, or a string',
    jsonHint: 'Use one object with keys and strings in double quotes, without trailing commas, comments, code fences or other text',
    notObject: (tool, kind) =>
      `Give the arguments of ${quote(tool)} as one JSON object; they are ${typeLabel([kind], englishTypes, 'or')}.`,
    objectHint: 'Name each argument, as in {"name": value}; do not put the object in quotes',
    duplicateHint: 'Write every key of an object once',
    cut: (tool) => `Finish the arguments of ${quote(tool)}; they end before they are complete.`,
    cutHint: 'Send the whole call again, with shorter values where they are long',
    missing: (tool, path) => `Give ${quote(tool)} its required argument ${pathLabel(path)}; it is missing.`,
    wrongType: (tool, path, expected, found) =>
      `Give ${quote(tool)} the argument ${pathLabel(path)} as ${typeLabel(expected, englishTypes, 'or')}; it is ${typeLabel([found], englishTypes, 'or')}.`,
    invalidEnum: (tool, path, members, value) =>
      `Give ${quote(tool)} as ${pathLabel(path)} one of ${listNames(members.map(valueText), more)}; it is ${valueLabel(value)}.`,
    unknownArgument: (tool, path) => `Leave out the argument ${pathLabel(path)}; ${quote(tool)} has none of that name.`,
    declared: (names) => (names.size === 0 ? 'It takes no arguments' : `Its arguments are ${listNames([...names], more)}`),
    schema: (tool, message) => `Correct the arguments of ${quote(tool)}. ${message}`,
    didYouMean: (name) => `Did you mean ${quote(name)}?`,
    empty: 'Answer with text or with a tool call; the answer has neither.',
    inText: (tools, line) => `Call ${listNames(tools, more) || 'the tool'}; line ${line} of the answer writes the call as text.`,
    cutInText: 'Finish the tool call; the answer ends before the call is complete.',
  },
  de: {
    ...soundMessages.de,
    invalidJson: (tool, { line, column }, found) =>
      `Schreibe die Argumente von ${quote(tool)} als gültiges JSON; in Zeile ${line}, Spalte ${column} ${found === '' ? 'enden sie zu früh' : `steht ${quoteJson(found)}`}.`,
    rangeHint: 'Schreibe eine Zahl unter 1.8e308 oder eine Zeichenkette',
    jsonHint:
      'Schreibe ein Objekt mit Schlüsseln und Texten in doppelten Anführungszeichen, ohne Kommas am Ende, Kommentare, Code-Fences oder anderen Text',
    notObject: (tool, kind) =>
      `Gib die Argumente von ${quote(tool)} als ein JSON-Objekt an; sie sind ${typeLabel([kind], germanTypes, 'oder')}.`,
    objectHint: 'Benenne jedes Argument, wie in {"name": wert}; setze das Objekt nicht in Anführungszeichen',
    duplicateHint: 'Schreibe jeden Schlüssel eines Objekts einmal',
    cut: (tool) => `Beende die Argumente von ${quote(tool)}; sie enden, bevor sie vollständig sind.`,
    cutHint: 'Sende den ganzen Aufruf noch einmal, mit kürzeren Werten, wo sie lang sind',
    missing: (tool, path) => `Gib ${quote(tool)} das nötige Argument ${pathLabel(path)}; es fehlt.`,
    wrongType: (tool, path, expected, found) =>
      `Gib ${quote(tool)} das Argument ${pathLabel(path)} als ${typeLabel(expected, germanTypes, 'oder')}; es ist ${typeLabel([found], germanTypes, 'oder')}.`,
    invalidEnum: (tool, path, members, value) =>
      `Gib ${quote(tool)} als ${pathLabel(path)} einen dieser Werte: ${listNames(members.map(valueText), weitere)}; es ist ${valueLabel(value)}.`,
    unknownArgument: (tool, path) => `Lass das Argument ${pathLabel(path)} weg; ${quote(tool)} hat keines mit diesem Namen.`,
    declared: (names) => (names.size === 0 ? 'Es hat keine Argumente' : `Seine Argumente sind ${listNames([...names], weitere)}`),
    schema: (tool, message) => `Korrigiere die Argumente von ${quote(tool)}: ${message}`,
    didYouMean: (name) => `Meintest du ${quote(name)}?`,
    empty: 'Antworte mit Text oder mit einem Tool-Aufruf; die Antwort hat beides nicht.',
    inText: (tools, line) => `Rufe ${listNames(tools, weitere) || 'das Tool'} auf; Zeile ${line} der Antwort schreibt den Aufruf als Text.`,
    cutInText: 'Beende den Tool-Aufruf; die Antwort endet, bevor er vollständig ist.',
  },
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}
