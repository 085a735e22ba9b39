/** A line with which another turn starts. */
const turn = /^(?:(?:#{2,4}[ \t]*)?(?:Human|User|HUMAN|USER|Nutzer|Benutzer|用户|Assistant|ASSISTANT)|#{2,4}[ \t]*Instruction)[ \t]?[:：]/
/** What may still become the label of one. */
// backtracks: lines are cut to 120 characters
const unfinished = /^(?:#{0,4}[ \t]*[A-Za-z用户]*[ \t]?[:：]?[ \t]*)$/

/** Any line of a dialogue, an interview or a list of fields. */
const speech = /^(?:[-*>]+[ \t]+)?[*_]{0,3}\p{Lu}[\p{L}\p{N} ._'-]{0,30}[*_]{0,3}[ \t]?[:：]/u
/** Who answers a turn; any other label beside one makes a list of both. */
const reply = /^(?:assistant|ai|bot|model|answer|response|a|assistent|ki|antwort|user|human|nutzer|benutzer)[ \t]?[:：]/i
const marks = /^[*_> -]+/
const ending = /[.!?。！？…)\]"”»`*]$/

/** Sees from line to line where the model goes on as the user; a dialogue that the answer announces is not such a place. */
export class TurnWatch {
  #previous = ''
  #wasBlank = false
  #isDialogue = false

  /** Whether a turn may start in the next line: it comes after a blank line and a whole sentence, which announces nothing. */
  get mayStart(): boolean {
    return (
      this.#wasBlank && !this.#isDialogue && ending.test(this.#previous) && !speech.test(this.#previous) && !this.#previous.startsWith('#')
    )
  }

  /** The label of the turn that a line starts; empty when it starts none, undefined while that is open. */
  starts(line: string, isWhole: boolean): string | undefined {
    if (!this.mayStart) return ''
    const label = turn.exec(line)?.[0]
    // The heading of a chapter has no words behind its colon.
    if (label !== undefined && (!label.startsWith('#') || label.includes('Instruction') || /\S/.test(line.slice(label.length))))
      return label
    return isWhole || !unfinished.test(line) ? '' : undefined
  }

  /** Whether a line behind that of a turn shows that both are items of a list; undefined while that is open. */
  isSibling(line: string, isWhole: boolean): boolean | undefined {
    if (speech.test(line)) return !reply.test(line.replace(marks, '').replace(/\*/g, ''))
    return isWhole && line.trim() !== '' ? false : undefined
  }

  /** Takes a line that is complete. */
  end(line: string): void {
    const text = line.trim()
    if (text === '') {
      this.#wasBlank = this.#previous !== ''
      return
    }
    if (turn.test(text.replace(marks, '').replace(/\*/g, ''))) this.#isDialogue = true
    this.#previous = text
    this.#wasBlank = false
  }
}
