import { languageOf } from '../../../answer/markdown/code-language.ts'
import { beginsLikeCode } from '../looks-like-code.ts'

/** Attributes of fences that look like assignments. */
const attribute = /^(?:title|file|filename|path|name|caption|label|id|class|lang|lines|linenums|hl_lines|highlight|start|startline)=\S/i

/** What follows the tag of a fence on its line, when that is code. */
export function afterTag(info: string): { readonly code: string; readonly from: number } {
  const start = info.length - info.trimStart().length
  const code = info.slice(start).trimEnd()
  const tag = /^[\w.+#{}-]+\s+(?=\S)/.exec(code)?.[0]
  const rest = tag === undefined ? '' : code.slice(tag.length)
  if (tag === undefined || languageOf(tag) === '' || !beginsLikeCode(rest) || attribute.test(rest)) return { code, from: start }
  return { code: rest, from: start + tag.length }
}
