import type { Locale } from '@stickler/core'
import { faultWords } from '@stickler/core/internal/validators'
import { quote } from '@stickler/core/validators'

/** What an entry that is not text may be. */
export type EntryType = 'empty' | 'list' | 'mapping' | 'number' | 'boolean'

type Advice = readonly [message: string, hint: string]

interface FileMessages {
  readonly instruct: string
  missing(path: string, suggestion: string | undefined): Advice
  directory(path: string): Advice
  special(path: string): Advice
  outside(path: string): Advice
  notText(position: number, type: EntryType): Advice
  tooMany(count: number, limit: number): Advice
  unreadable(reason: string): Advice
}

/** A path inside a sentence: in single quotes unless `quote` has already fenced it. */
function name(path: string): string {
  const quoted = quote(path)
  return quoted.startsWith('"') ? quoted : `'${quoted}'`
}

const german: Readonly<Record<EntryType, string>> = {
  empty: 'leer',
  list: 'eine Liste',
  mapping: 'eine Zuordnung',
  number: 'eine Zahl',
  boolean: 'ein Wahrheitswert',
}

const english: Readonly<Record<EntryType, string>> = {
  empty: 'empty',
  list: 'a list',
  mapping: 'a mapping',
  number: 'a number',
  boolean: 'a boolean',
}

/** What the messages and hints on named files say, by language. */
export const fileMessages: Readonly<Record<Locale, FileMessages>> = {
  en: {
    instruct: 'List in files.modify of the YAML header only files that exist in the project, and new files in files.create.',
    missing: (path, suggestion) => [
      `Name only existing files in files.modify; ${quote(path)} does not exist.`,
      `Remove ${name(path)} from files.modify or move it to files.create${suggestion === undefined ? '' : `; did you mean ${name(suggestion)}?`}`,
    ],
    directory: (path) => [
      `Name only files in files.modify; ${quote(path)} is a directory.`,
      `Replace ${name(path)} with the files in it that change`,
    ],
    special: (path) => [`Name only regular files in files.modify; ${quote(path)} is not one.`, `Remove ${name(path)} from files.modify`],
    outside: (path) => [
      `Name only files inside the project in files.modify; ${quote(path)} is not allowed.`,
      `Replace ${name(path)} with a path relative to the project, without '..'`,
    ],
    notText: (position, type) => [
      `Write every entry of files.modify as a path; entry ${position} is ${english[type]}.`,
      'Write one path per entry, in quotes where needed, and comments after a #',
    ],
    unreadable: (reason) => [
      `Correct the YAML header that names files; it cannot be read: ${faultWords(reason)}.`,
      'Check quotes, indentation and duplicate keys',
    ],
    tooMany: (count, limit) => [
      `Name at most ${limit} files in files.modify; it has ${count}.`,
      'List only the files that change, or split the change',
    ],
  },
  de: {
    instruct: 'Liste in files.modify des YAML-Headers nur Dateien auf, die im Projekt existieren, und neue Dateien in files.create.',
    missing: (path, suggestion) => [
      `files.modify referenziert nicht existierende Datei: ${quote(path)}`,
      `Entferne ${name(path)} aus files.modify oder verschiebe nach files.create${suggestion === undefined ? '' : `; meintest du ${name(suggestion)}?`}`,
    ],
    directory: (path) => [
      `Nenne in files.modify nur Dateien; ${quote(path)} ist ein Verzeichnis.`,
      `Ersetze ${name(path)} durch die Dateien darin, die sich ändern`,
    ],
    special: (path) => [`Nenne in files.modify nur reguläre Dateien; ${quote(path)} ist keine.`, `Entferne ${name(path)} aus files.modify`],
    outside: (path) => [
      `Nenne in files.modify nur Dateien im Projekt; ${quote(path)} ist nicht erlaubt.`,
      `Ersetze ${name(path)} durch einen Pfad relativ zum Projekt, ohne '..'`,
    ],
    notText: (position, type) => [
      `Schreibe jeden Eintrag von files.modify als Pfad; Eintrag ${position} ist ${german[type]}.`,
      'Schreibe je Eintrag einen Pfad, wo nötig in Anführungszeichen, und Kommentare hinter einem #',
    ],
    // The parser's reason is in English.
    unreadable: () => [
      'Korrigiere den YAML-Header, der Dateien nennt; er ist nicht lesbar.',
      'Korrigiere die Syntax: Anführungszeichen, Einrückung, doppelte Schlüssel',
    ],
    tooMany: (count, limit) => [
      `Nenne in files.modify höchstens ${limit} Dateien; es sind ${count}.`,
      'Liste nur die Dateien auf, die sich ändern, oder teile die Änderung auf',
    ],
  },
}
