import type { Snippet } from '../snippet.ts'
import type { Verdicts } from '../verdicts.ts'
import { type Foreign, foreignCharacters } from './characters.ts'
import { applyEdits, type Edit } from './edits.ts'
import { strayFences } from './fences.ts'

/** Longer code is not repaired: it is parsed many times. */
const longestSource = 100_000

/** More foreign characters are not a slip; each of them costs a call of the parser. */
const mostCharacters = 32

/** A change of the code with the rule that makes it. */
export interface RuledEdit extends Edit {
  readonly rule: 'correct-fence' | 'straighten-quotes' | 'plain-spaces'
}

/** The characters that are tried, fewest kinds first. */
const attempts: readonly (readonly Foreign[])[] = [['space'], ['double'], ['single'], ['double', 'single'], ['double', 'single', 'space']]

/** Finds the fewest changes that make code parse without a doubt; undefined where there are none. */
export async function findRepair(snippet: Snippet, verdicts: Verdicts, signal: AbortSignal): Promise<readonly RuledEdit[] | undefined> {
  const { language, source } = snippet
  if (source.length > longestSource) return undefined
  const parses = async (edits: readonly Edit[]): Promise<boolean> => {
    const verdict = await verdicts.on(language, applyEdits(source, edits), signal)
    return !(verdict instanceof Error) && verdict.verdict === 'valid'
  }
  const fences: readonly RuledEdit[] = strayFences(source).map((edit) => ({ ...edit, rule: 'correct-fence' }))
  if (fences.length > 0 && (await parses(fences))) return fences
  const found = foreignCharacters(source)
  if (found.length === 0 || found.length > mostCharacters) return undefined
  for (const base of fences.length > 0 ? [[], fences] : [[]]) {
    let tried = 0
    for (const kinds of attempts) {
      const chosen = found.filter(({ kind }) => kinds.includes(kind))
      // Kinds that are not there make no further attempt.
      if (chosen.length === 0 || (kinds.length > 1 && chosen.length === tried)) continue
      tried = Math.max(tried, chosen.length)
      const edits = inOrder([...base, ...chosen.map(ruled)])
      if (await parses(edits)) return needed(edits, parses)
    }
  }
  return undefined
}

/** Leaves out every change of a character without which the code parses too, such as one in a comment. */
async function needed(edits: readonly RuledEdit[], parses: (edits: readonly Edit[]) => Promise<boolean>): Promise<readonly RuledEdit[]> {
  let kept = edits
  for (const edit of edits) {
    const fewer = kept.filter((one) => one !== edit)
    if (edit.rule !== 'correct-fence' && (await parses(fewer))) kept = fewer
  }
  return kept
}

function ruled({ at, length, text, kind }: Edit & { readonly kind: Foreign }): RuledEdit {
  return { at, length, text, rule: kind === 'space' ? 'plain-spaces' : 'straighten-quotes' }
}

/** In text order, without those inside of another. */
function inOrder(edits: readonly RuledEdit[]): readonly RuledEdit[] {
  const sorted = [...edits].sort((a, b) => a.at - b.at || b.length - a.length)
  let end = 0
  return sorted.filter(({ at, length }) => {
    if (at < end) return false
    end = at + length
    return true
  })
}
