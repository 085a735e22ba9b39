import { DroppedFields } from '@stickler/core/runners'
import { HttpError } from '../../front/replies/http-error.ts'

/** Longest name of a field in the header. */
const longestName = 80
const mostNames = 32
const mostCharacters = 900

/** What became of a request on its way into another API: nothing is left out in silence. */
export class Translation extends DroppedFields {
  #refused: HttpError | undefined

  /** Why the request cannot be translated, by its first field that cannot. */
  get refused(): HttpError | undefined {
    return this.#refused
  }

  /** Translates one part; where it refuses, the request is kept from upstreams of another API, but can still be looked at. */
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

/** The header that lists what was left out; empty when nothing was. */
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
