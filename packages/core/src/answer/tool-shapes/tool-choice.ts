import { type Fields, field, isFields, textField } from './fields.ts'
import { nativeCallName } from './native-calls.ts'

/** What a tool choice leaves: all tools, those of a list, or unknown when its format is. */
type ChosenTools = 'all' | 'unknown' | readonly string[]

/** How the APIs say that the model may call any tool, or must call one. */
const free: ReadonlySet<string> = new Set(['auto', 'required', 'any'])

/** The types of a choice that names a tool which the caller runs; others choose among tools of the provider. */
const naming: ReadonlySet<string> = new Set(['', 'function', 'tool', 'custom'])

/** Reads a tool choice in the shapes of all APIs; `isOffered` distinguishes the name of a tool from an unknown word. */
export function readChoice(choice: unknown, isOffered: (name: string) => boolean): ChosenTools {
  if (choice === undefined || choice === null) return 'all'
  if (typeof choice === 'string') return chosenWord(choice, isOffered)
  if (!isFields(choice)) return 'unknown'
  const type = wordOf(textField(choice, 'type'))
  const allowed = field(choice, 'allowed_tools') ?? (type === 'allowed_tools' ? choice : undefined)
  const mode = wordOf(textField(isFields(allowed) ? allowed : choice, 'mode') || textField(choice, 'mode'))
  if (type === 'none' || mode === 'none') return []
  if (allowed !== undefined) return allowedNames(allowed)
  // A choice of a server says nothing about what the client is to run.
  const native = type === 'mcp' ? undefined : nativeCallName(choice)
  if (native !== undefined) return [native]
  const name = nameOf(choice)
  if (name !== '') return naming.has(type) || free.has(type) ? [name] : 'unknown'
  return free.has(type) || (type === '' && free.has(mode)) ? 'all' : 'unknown'
}

/** Whether a choice says in Anthropic's way that one call is enough. */
export function choosesOneCall(choice: unknown): boolean {
  return field(choice, 'disable_parallel_tool_use') === true
}

/** How the APIs say that the model must call a tool. */
const forcing: ReadonlySet<string> = new Set(['required', 'any'])

/** Whether a choice asks for a call in place of words: of any tool, or of the one that it names. */
export function forcesCall(choice: unknown): boolean {
  if (typeof choice === 'string') return forcing.has(wordOf(choice))
  if (!isFields(choice)) return false
  const type = wordOf(textField(choice, 'type'))
  const mode = wordOf(textField(field(choice, 'allowed_tools') ?? choice, 'mode'))
  return forcing.has(type) || forcing.has(mode) || (naming.has(type) && nameOf(choice) !== '')
}

function chosenWord(choice: string, isOffered: (name: string) => boolean): ChosenTools {
  const word = wordOf(choice)
  if (word === 'none') return []
  if (free.has(word)) return 'all'
  return isOffered(choice) ? [choice] : 'unknown'
}

function allowedNames(allowed: unknown): ChosenTools {
  const list = Array.isArray(allowed) ? allowed : field(allowed, 'tools')
  if (!Array.isArray(list)) return 'unknown'
  return list.map((tool) => (typeof tool === 'string' ? tool : (nativeCallName(tool) ?? nameOf(tool)))).filter((name) => name !== '')
}

/** The name in `{function: {name}}`, `{name}`, or the AI SDK's `{toolName}`. */
function nameOf(choice: Fields): string {
  return (
    textField(field(choice, 'function') ?? field(choice, 'custom'), 'name') || textField(choice, 'name') || textField(choice, 'toolName')
  )
}

/** Some services take words in any case, and with white space around them. */
function wordOf(text: string): string {
  return text.trim().toLowerCase()
}
