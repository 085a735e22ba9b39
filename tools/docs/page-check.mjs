import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { root } from '../types/typescript.mjs'

/** The page of a validator, below `docs`. */
export const pageOf = (name) => `reference/validators/${name.replaceAll('_', '-')}.md`

/** The check that the page of a validator shows first: its name, or its name with options. */
export function pageCheck(name) {
  const yaml = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(`${root}docs/${pageOf(name)}`, 'utf8'))?.[1] ?? ''
  return parse(yaml).checks.find((check) => check === name || name in Object(check))
}
