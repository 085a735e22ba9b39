import type { Locale } from '../../contract/locale.ts'
import type { SensitiveKind } from './kinds.ts'

interface SensitiveMessages {
  readonly kinds: Readonly<Record<SensitiveKind, readonly [one: string, many: string]>>
  instruct(kinds: readonly SensitiveKind[]): string
  /** Says what was found and where, and never the thing itself. */
  found(kind: SensitiveKind, line: number): string
  /** The same for a tool call, by its number. */
  foundInCall(kind: SensitiveKind, call: number): string
  readonly hint: string
}

const english: SensitiveMessages['kinds'] = {
  email: ['the e-mail address', 'e-mail addresses'],
  phone: ['the telephone number', 'telephone numbers'],
  card: ['the card number', 'card numbers'],
  iban: ['the bank account number', 'bank account numbers'],
  ssn: ['the social security number', 'social security numbers'],
  api_key: ['the API key', 'API keys'],
  jwt: ['the web token', 'web tokens'],
  private_key: ['the private key', 'private keys'],
}

const german: SensitiveMessages['kinds'] = {
  email: ['die E-Mail-Adresse', 'E-Mail-Adressen'],
  phone: ['die Telefonnummer', 'Telefonnummern'],
  card: ['die Kartennummer', 'Kartennummern'],
  iban: ['die Kontonummer', 'Kontonummern'],
  ssn: ['die Sozialversicherungsnummer', 'Sozialversicherungsnummern'],
  api_key: ['den API-Schlüssel', 'API-Schlüssel'],
  jwt: ['das Web-Token', 'Web-Tokens'],
  private_key: ['den privaten Schlüssel', 'private Schlüssel'],
}

/** What the messages on sensitive text say, by language. */
export const sensitiveMessages: Readonly<Record<Locale, SensitiveMessages>> = {
  en: {
    kinds: english,
    instruct: (kinds) => `Do not write ${list(kinds, english, 'or')}.`,
    found: (kind, line) => `Leave out ${english[kind][0]} in line ${line}.`,
    foundInCall: (kind, call) => `Leave out ${english[kind][0]} in the arguments of tool call ${call}.`,
    hint: 'Describe it in general terms, or write a placeholder such as name@example.com',
  },
  de: {
    kinds: german,
    instruct: (kinds) => `Schreibe keine ${list(kinds, german, 'oder')}.`,
    found: (kind, line) => `Lass ${german[kind][0]} in Zeile ${line} weg.`,
    foundInCall: (kind, call) => `Lass ${german[kind][0]} in den Argumenten von Werkzeugaufruf ${call} weg.`,
    hint: 'Umschreibe es allgemein oder setze einen Platzhalter wie name@example.com',
  },
}

function list(kinds: readonly SensitiveKind[], words: SensitiveMessages['kinds'], last: string): string {
  const names = kinds.map((kind) => words[kind][1])
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}` : (names[0] ?? '')
}
