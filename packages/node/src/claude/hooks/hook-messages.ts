import type { Locale } from '@stickler/core'

interface HookMessages {
  failed(why: string): string
  /** What others say, in their language. */
  quoted(words: string): string
  /** Fields that an event must have together. */
  absent(...fields: readonly string[]): string
  broken(retries: number, errors: string): string
  more(hidden: number): string
  unchecked(checks: readonly (readonly [validator: string, why: string])[]): string
  readonly repaired: string
  readonly notObject: string
  readonly changed: string
  withheld(why: string): string
  brokenError(why: string): string
  readonly changedError: string
}

/** What hooks say to the user and to the model, by language. */
export const hookMessages: Readonly<Record<Locale, HookMessages>> = {
  en: {
    failed: (why) => `Stickler could not check this: ${why}`,
    quoted: (words) => words,
    absent: (...fields) => `the event has no ${fields.join(' with a ')}`,
    broken: (retries, errors) =>
      `Stickler: the answer breaks its contract${retries === 0 ? '' : ` after ${retries === 1 ? 'one retry' : `${retries} retries`}`}: ${errors}`,
    more: (hidden) => `and ${hidden} more`,
    unchecked: (checks) => `Stickler: unchecked: ${checks.map(([validator, why]) => `${validator}: ${why}`).join('; ')}`,
    repaired: 'Stickler repaired the input of this call to keep its contract.',
    notObject: 'Stickler: the repaired input is not an object.',
    changed: 'Stickler changed the output of this tool to keep its contract.',
    withheld: (why) => `Stickler withheld the output of this tool: ${why}.`,
    brokenError: (why) => `Stickler: the error of this tool breaks its contract, and the model has it: ${why}.`,
    changedError: 'it would have been changed',
  },
  de: {
    failed: (why) => `Stickler konnte das nicht prüfen: ${why}`,
    quoted: (words) => JSON.stringify(words),
    absent: (...fields) => `dem Ereignis fehlt ${fields.join(' mit ')}`,
    broken: (retries, errors) =>
      `Stickler: Die Antwort hält${retries === 0 ? '' : ` nach ${retries === 1 ? 'einem weiteren Versuch' : `${retries} weiteren Versuchen`}`} ihren Vertrag nicht ein: ${errors}`,
    more: (hidden) => `und ${hidden} weitere`,
    unchecked: (checks) => `Stickler: ungeprüft: ${checks.map(([validator, why]) => `${validator}: ${JSON.stringify(why)}`).join('; ')}`,
    repaired: 'Stickler hat die Eingabe dieses Aufrufs korrigiert, damit sie ihren Vertrag einhält.',
    notObject: 'Stickler: Die korrigierte Eingabe ist kein Objekt.',
    changed: 'Stickler hat die Ausgabe dieses Tools geändert, damit sie ihren Vertrag einhält.',
    withheld: (why) => `Stickler hat die Ausgabe dieses Tools zurückgehalten: ${why}.`,
    brokenError: (why) => `Stickler: Der Fehler dieses Tools hält seinen Vertrag nicht ein, und das Modell hat ihn: ${why}.`,
    changedError: 'er wäre geändert worden',
  },
}
