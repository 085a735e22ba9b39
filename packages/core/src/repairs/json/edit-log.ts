import type { RepairClass } from '../../contract/certificate.ts'
import type { JsonEdit } from './result.ts'

/** The changes so far, in the order of the text. */
export class EditLog {
  readonly list: JsonEdit[] = []

  /** Appends a change. */
  add(rule: string, repairClass: RepairClass, start: number, before: string, after: string): void {
    this.list.push({ rule, class: repairClass, start, before, after })
  }

  /** Adds a change that was recognised late, at the index that the log had then. */
  addLate(index: number, edit: JsonEdit): void {
    this.list.splice(index, 0, edit)
  }

  /** Drops the changes from an offset on, since that text is read again. */
  forgetFrom(offset: number): void {
    while ((this.list.at(-1)?.start ?? -1) >= offset) this.list.pop()
  }
}
