import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'

/** The number of sources that the context tells, else the one of the options; undefined when neither tells one. */
export function countSources(context: Readonly<Record<string, unknown>>, fallback: number | undefined): number | undefined {
  const { sources } = context
  if (sources === undefined || sources === null) return fallback
  if (Array.isArray(sources)) return sources.length
  return typeof sources === 'number' && Number.isInteger(sources) && sources >= 0 ? sources : undefined
}

/** Says that markers cannot be judged, since nobody knows how many sources there are. */
export function sourcesUnknown({ sources }: Readonly<Record<string, unknown>>): ValidatorUnavailable {
  const isAbsent = sources === undefined || sources === null
  return new ValidatorUnavailable(
    isAbsent
      ? 'neither `context.sources` nor the option `sources` says how many sources there are'
      : '`context.sources` is neither a list nor a whole number from 0',
  )
}
