import { bold, cut, dim, green, say, visible, yellow } from './terminal.mjs'

const width = 30

/** Shows side by side what a model sends, how much of it is held, and what the reader sees. */
export class StreamLog {
  #started = performance.now()
  #received = 0
  #released = 0
  #sent = ''
  #shown = ''
  #time = 0

  /** The same runner, with an eye on every piece of text. */
  watch(runner) {
    return {
      run: (session, prompt, options) => this.#listen(runner.run(session, prompt, options)),
      continue: (session, feedback, options) => this.#listen(runner.continue(session, feedback, options)),
    }
  }

  /** Notes what the reader sees. */
  release(text) {
    this.#released += text.length
    this.#shown += text
  }

  /** Writes what has happened since the last line. */
  flush() {
    if (this.#sent === '' && this.#shown === '') return
    const time = String(Math.round(this.#time)).padStart(5)
    const held = this.#received - this.#released
    const left = cut(visible(this.#sent), width)
    const right = cut(visible(this.#shown), width)
    for (let line = 0; line < Math.max(left.length, right.length); line++) {
      const amount = line === 0 && held > 0 ? String(held) : ''
      const sent = (left[line] ?? '').padEnd(width)
      say(`${dim(line === 0 ? time : '     ')}  ${sent}  ${yellow(amount.padStart(4))}  ${green(right[line] ?? '')}`.trimEnd())
    }
    this.#sent = ''
    this.#shown = ''
  }

  async *#listen(events) {
    this.#received = 0
    this.#released = 0
    say(bold(`\n   ms  ${'the model sends'.padEnd(width)}  held  the reader sees`))
    for await (const event of events) {
      if (event.type === 'text') {
        this.flush()
        this.#time = performance.now() - this.#started
        this.#sent = event.text
        this.#received += event.text.length
      }
      yield event
    }
    this.flush()
  }
}
