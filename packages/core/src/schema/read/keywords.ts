import type { JsonValue } from '../../json/json-value.ts'
import { drafts } from '../draft.ts'
import { Interpreter } from '../evaluate/interpreter.ts'
import { budgetFor } from '../step-budget.ts'
import { SchemaDocument } from './document.ts'
import { keywordsOf, rulesOf } from './metaschemas.ts'

let known: ReadonlySet<string> | undefined

/** The keywords of every draft that is understood. */
export function schemaKeywords(): ReadonlySet<string> {
  known ??= new Set(drafts.flatMap(keywordsOf))
  return known
}

/** Whether a keyword may have this value in a draft that defines it. */
export function acceptsValue(keyword: string, value: JsonValue): boolean {
  return drafts.some((draft) => {
    if (!keywordsOf(draft).includes(keyword)) return false
    const rules = new Interpreter(new SchemaDocument(rulesOf(draft), draft))
    return rules.accepts(rules.root, { [keyword]: value }, budgetFor(Number.POSITIVE_INFINITY))
  })
}
