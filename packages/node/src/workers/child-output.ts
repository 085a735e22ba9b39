import type { Environment } from '@stickler/core'
import { jwtDetector, keyDetector, maskSecretShapes, redactor, secretRoom } from '@stickler/core/internal'
import { secretsIn } from './usual-environment.ts'

const mask = '[redacted]'

/** Makes a function that masks, in what a process says, the secrets of its environment and what has the shape of a key. */
export function childRedactor(env: Environment): (text: string) => string {
  const redact = redactor(secretsIn(env))
  return (text) => maskSecretShapes(withoutKeys(redact(text)))
}

function withoutKeys(text: string): string {
  const keys = [...keyDetector.find(text, 0), ...jwtDetector.find(text, 0)].sort((a, b) => b.start - a.start)
  return keys.reduce((rest, { start, end }) => rest.slice(0, start) + mask + rest.slice(end), text)
}

/** Keeps the end of an error stream, which is cut only after it was masked. */
export class ErrorText {
  readonly #decoder = new TextDecoder()
  readonly #redact: (text: string) => string
  readonly #longest: number
  #text = ''

  constructor(env: Environment, longest: number) {
    this.#redact = childRedactor(env)
    this.#longest = longest
  }

  push(bytes: Uint8Array): void {
    this.#text = (this.#text + this.#decoder.decode(bytes, { stream: true })).slice(-this.#longest - secretRoom)
  }

  toString(): string {
    return this.#redact(this.#text).slice(-this.#longest)
  }
}
