import type { AnswerReader } from '../../answer/reader.ts'
import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { Executor } from '../executor.ts'
import { type EditedText, Editor } from './editor.ts'
import { startMachine } from './machines.ts'

/** A validator of a contract whose changes may be made while the answer comes, and their classes. */
interface EditingValidator {
  readonly validator: ActiveValidator
  readonly classes: readonly RepairClass[]
}

const none: readonly never[] = []

/** The validators that edit the text of a stream, one behind the other in the order of the contract: each reads what those before it have made of the text. */
export class Editors {
  readonly #editors: readonly Editor[]

  constructor(editing: readonly EditingValidator[], context: CheckContext) {
    this.#editors = editing.map(({ validator, classes }) => {
      return new Editor(startMachine(validator, context, { repairs: true, allow: classes, allowNow: classes, edits: true }), classes)
    })
  }

  /** The reader that has seen all text as the model wrote it. */
  get reader(): AnswerReader | undefined {
    return this.#editors[0]?.reader
  }

  /** Takes text of the model and gives what is settled, with all changes made. */
  push(text: string): EditedText {
    let edited: EditedText = { text, places: none }
    for (const editor of this.#editors) edited = edited.text === '' && edited.places.length === 0 ? edited : editor.push(edited)
    return edited
  }

  /** Takes text that an earlier attempt has shown. */
  resume(text: string): EditedText {
    let edited: EditedText = { text, places: [] }
    for (const editor of this.#editors) edited = editor.resume(edited)
    return edited
  }
}

/** The validators whose changes may be made while the answer comes, because repairs come first and one of their classes is allowed. */
export function editingValidators(
  { validators, policy }: Contract,
  repairs: boolean,
  executor: Executor | undefined,
): readonly EditingValidator[] {
  if (!repairs) return []
  return validators.flatMap((validator) => {
    const { edits, repair } = validator.prepared
    if (edits === undefined || repair === undefined || executor?.allowsStream(validator) === false) return []
    const { usual } = allowedRepairs(validator.prepared, policy)
    const classes = [edits].flat().filter((kind) => usual.includes(kind))
    return classes.length > 0 ? [{ validator, classes }] : []
  })
}
