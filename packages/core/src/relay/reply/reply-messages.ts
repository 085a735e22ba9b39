import type { Locale } from '../../contract/locale.ts'
import type { FailureKind } from '../../engine/runner-failure.ts'

/** What ends a request besides the verdict. */
type Trouble = Exclude<FailureKind, 'http'> | 'shutting_down' | 'store_full' | 'other'

/** The gateway's messages that users read beside or instead of an answer. */
export interface ReplyWords {
  progress(attempt: number, most: number, codes: string): string
  violated(contract: string, first: string, more: number): string
  unchecked(contract: string, cause: string): string
  /** Why a check could not run; its own message only in this language. */
  couldNotRun(validator: string, words: string): string
  unsafeAddress(count: number): string
  readonly secretReasoning: string
  tooManyMessages(most: number, sent: number): string
  messageTooLong(most: number, sent: number): string
}

/** The gateway's messages, by language. */
export const replyWords: Readonly<Record<Locale, ReplyWords>> = {
  en: {
    progress: (attempt, most, codes) => `Attempt ${attempt} of ${most}: ${codes === '' ? 'asking again' : `repairing ${codes}`}`,
    violated: (contract, first, more) =>
      `The answer does not meet the contract ${contract}: ${first}${more === 0 ? '' : ` (and ${more} more)`}`,
    unchecked: (contract, cause) => `The answer could not be checked against the contract ${contract}: ${cause}`,
    couldNotRun: (validator, words) =>
      validator === '' ? 'a check could not run.' : words === '' ? `${validator} could not run.` : `${validator}: ${words}`,
    unsafeAddress: (count) => `Link to http or https addresses only; removed: ${count}.`,
    secretReasoning: 'Leave out sensitive data in the reasoning and in annotations; it was replaced.',
    tooManyMessages: (most, sent) => `at most ${most} messages are allowed, not ${sent}`,
    messageTooLong: (most, sent) => `at most ${most} characters are allowed in a message, not ${sent}`,
  },
  de: {
    progress: (attempt, most, codes) =>
      `Versuch ${attempt} von ${most}: ${codes === '' ? 'das Modell wird erneut gefragt' : `${codes} wird korrigiert`}`,
    violated: (contract, first, more) =>
      `Die Antwort hält den Vertrag ${contract} nicht ein: ${first}${more === 0 ? '' : ` (und ${more} weitere)`}`,
    unchecked: (contract, cause) => `Die Antwort konnte nicht gegen den Vertrag ${contract} geprüft werden: ${cause}`,
    couldNotRun: (validator) => (validator === '' ? 'eine Prüfung konnte nicht laufen.' : `${validator} konnte nicht laufen.`),
    unsafeAddress: (count) => `Verweise nur auf Adressen mit http oder https; weggelassen: ${count}`,
    secretReasoning: 'Lass sensible Daten in den Überlegungen und in Verweisen weg; sie wurden ersetzt.',
    tooManyMessages: (most, sent) => `höchstens ${most} Nachrichten sind erlaubt, nicht ${sent}`,
    messageTooLong: (most, sent) => `höchstens ${most} Zeichen sind in einer Nachricht erlaubt, nicht ${sent}`,
  },
}

/** What else ends a request. */
export interface TroubleWords extends Readonly<Record<Trouble, string>> {
  /** How the provider answered. */
  answered(status: number): string
  /** How the provider rejected the request, and its own message, if any. */
  refused(status: number, words: string): string
  /** The connection broke in the middle of an answer. */
  readonly broken: string
  readonly rate_limit: string
  readonly auth: string
  /** The circuit of the upstream is open. */
  readonly circuit_open: string
}

/** Other messages, in the languages beside English, which the error itself is in. */
export const troubleWords: Readonly<Record<Exclude<Locale, 'en'>, TroubleWords>> = {
  de: {
    answered: (status) => `Der Anbieter hat mit Status ${status} geantwortet.`,
    refused: (status, words) => `Der Anbieter hat die Anfrage mit Status ${status} abgelehnt${words === '' ? '.' : `: ${words}`}`,
    broken: 'Die Verbindung zum Anbieter ist abgebrochen, bevor die Antwort vollständig war.',
    rate_limit: 'Der Anbieter bittet um weniger Anfragen.',
    auth: 'Der Anbieter hat den Schlüssel des Gateways nicht angenommen.',
    circuit_open: 'Der Anbieter ist zu oft ausgefallen und wird eine Weile nicht gefragt; es wurde nichts gesendet.',
    aborted: 'Die Anfrage wurde abgebrochen.',
    deadline: 'Bis zum Ablauf der Frist kam keine gültige Antwort.',
    timeout: 'Der Anbieter hat nicht rechtzeitig geantwortet.',
    connection: 'Der Anbieter ist nicht erreichbar.',
    protocol: 'Der Anbieter hat eine unverständliche Antwort gesendet.',
    exit: 'Der Anbieter ist ausgefallen.',
    empty: 'Der Anbieter hat eine leere Antwort gesendet.',
    crash: 'Der Anbieter ist ausgefallen.',
    shutting_down: 'Das Gateway wird gerade beendet; versuche es gleich noch einmal.',
    store_full: 'Antworten können gerade nicht aufgezeichnet werden, und ohne Aufzeichnung wird keine gegeben.',
    other: 'Im Gateway ist etwas schiefgegangen.',
  },
}
