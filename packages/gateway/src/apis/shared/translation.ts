import { DroppedFields } from '@stickler/core/runners'
import { HttpError } from '../../front/replies/http-error.ts'

/** Longest name of a field in the header. */
const longestName = 80
const mostNames = 32
const mostCharacters = 900

/** The result of translating a request into another API: nothing is dropped silently. */
export class Translation extends DroppedFields {
  #refused: HttpError | undefined

  /** Why the request cannot be translated, by the first such field. */
  get refused(): HttpError | undefined {
    return this.#refused
  }

  /**
   * Translates one part; a failure excludes upstreams of another API, but the request can still be
   * read.
   */
  attempt<Read, Fallback>(read: () => Read, fallback: Fallback): Read | Fallback {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      this.#refused ??= error
      return fallback
    }
  }
}

/** The header that lists dropped fields; empty when there are none. */
export function droppedHeader(names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return noHeaders
  const told: string[] = []
  let length = 0
  for (const name of new Set(names.map(nameInHeader))) {
    length += name.length + 2
    if (told.length === mostNames || length > mostCharacters) return { 'x-stickler-dropped': `${told.join(', ')}, ...` }
    told.push(name)
  }
  return { 'x-stickler-dropped': told.join(', ') }
}

const noHeaders: Readonly<Record<string, string>> = {}

/** Names of unknown fields come from clients. */
function nameInHeader(name: string): string {
  return name.slice(0, longestName).replace(/[^\w.[\]-]/g, '_')
}
