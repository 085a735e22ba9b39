import { type Header, isMapping } from '../../answer/headers.ts'

/** Whether a header names itself a decision record's, even when its YAML cannot be read. */
export function hasAdrId({ yaml, source }: Pick<Header, 'yaml' | 'source'>): boolean {
  return isMapping(yaml) ? Object.hasOwn(yaml.value, 'adr_id') : /^[ \t]*["']?adr_id["']?[ \t]*:/m.test(source)
}

/** Whether a title is that of a decision record. */
export function isAdrTitle(title: string): boolean {
  return /\bADR[-\s]?\d/i.test(title) || /\barchitect(?:ure|ural) decision record\b/i.test(title)
}
