import { count } from '../../terminal/count.ts'
import type { Counts } from '../tally.ts'

/** One line about all files: `12 files: 9 valid, 2 repaired (1 written), 1 unresolved`. */
export function describeSummary({ valid, repaired, unresolved, unchecked, faults, written, unwritten }: Readonly<Counts>): string {
  const fixes = [...(written > 0 ? [`${written} written`] : []), ...(unwritten > 0 ? [`${unwritten} not written`] : [])]
  const parts = [
    ...(valid > 0 ? [`${valid} valid`] : []),
    ...(repaired > 0 ? [`${repaired} repaired${fixes.length > 0 ? ` (${fixes.join(', ')})` : ''}`] : []),
    ...(unresolved > 0 ? [`${unresolved} unresolved`] : []),
    ...(unchecked > 0 ? [`${unchecked} unchecked`] : []),
    ...(faults > 0 ? [`${faults} could not be read`] : []),
  ]
  const files = count(valid + repaired + unresolved + unchecked + faults, 'file')
  return parts.length === 0 ? files : `${files}: ${parts.join(', ')}`
}
