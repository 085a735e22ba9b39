import { TooComplex } from '../../contract/too-complex.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { plainLine } from './plain-line.ts'

/** What a validator from outside threw, as an error of this copy of the library: it may have been written with another one. */
export function ownError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(plainLine(thrown))
  if (thrown instanceof TooComplex || thrown instanceof ValidatorUnavailable) return thrown
  if (thrown.name === 'ValidatorUnavailable') return new ValidatorUnavailable(plainLine(thrown))
  if (thrown.name === 'TooComplex') return new TooComplex(reasonOf(thrown))
  return new Error(plainLine(thrown), { cause: thrown })
}

function reasonOf(thrown: Error): ConstructorParameters<typeof TooComplex>[0] {
  const { en, de } = ((thrown as { readonly reason?: unknown }).reason ?? {}) as { readonly en?: unknown; readonly de?: unknown }
  if (typeof en !== 'string' || typeof de !== 'string') return plainLine(thrown)
  return { en: plainLine(en), de: plainLine(de) }
}
