import { useRef, useState } from 'preact/hooks'
import { Mark } from '../components/icon.tsx'

/** What the form takes. */
interface KeyFormProps {
  /** Whether a key was tried and rejected. */
  readonly isWrong: boolean
  readonly message: string
  /** Takes the key; false when no key looks like this. */
  use(key: string): boolean
}

/** Asks for a key; it is kept until the tab is closed. */
export function KeyForm({ isWrong, message, use }: KeyFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isMalformed, setMalformed] = useState(false)
  const problem = isMalformed ? 'A key has only visible ASCII characters.' : isWrong ? message : ''
  return (
    <main class="sign-in" id="content">
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault()
          setMalformed(!use(input.current?.value ?? ''))
        }}
      >
        <div class="brand">
          <Mark />
          Stickler
        </div>
        <h1>Open the dashboard</h1>
        <p class="quiet">This gateway requires an API key. An operator's key shows everything, a client's key its own runs.</p>
        <label for="key">Key of the gateway</label>
        <input
          id="key"
          class="field"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          ref={input}
          aria-invalid={problem !== ''}
          aria-describedby="key-note"
        />
        <p id="key-note" class={problem === '' ? 'quiet' : 'problem'} role={problem === '' ? undefined : 'alert'}>
          {problem === '' ? 'It is stored until you close this tab.' : problem}
        </p>
        <button type="submit" class="button primary">
          Continue
        </button>
      </form>
    </main>
  )
}
