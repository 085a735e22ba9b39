import { useEffect, useRef, useState } from 'preact/hooks'
import { useServices } from '../../app/services.ts'
import { useShortcuts } from '../../app/use-shortcuts.ts'
import { Icon } from '../../components/icon.tsx'

const pauseMs = 300

/** Searches questions and answers; without texts it says why it cannot. */
export function SearchField() {
  const { router, me, window } = useServices()
  const asked = router.place.value.query.get('q') ?? ''
  const [typed, setTyped] = useState(asked)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef(0)
  const hasTexts = me.value?.keepText ?? false
  useShortcuts([{ keys: '/', says: 'Search', run: () => field.current?.focus() }])

  useEffect(() => setTyped(asked), [asked])
  useEffect(() => () => window.clearTimeout(timer.current), [window])

  const search = (text: string): void => router.change({ q: text.trim() }, { replace: asked !== '' })
  return (
    <label class="search" title={hasTexts ? undefined : 'Texts are not kept: set store.keepText to search questions and answers.'}>
      <Icon name="search" />
      <span class="unseen">Search questions and answers</span>
      <input
        ref={field}
        class="field"
        type="search"
        autocomplete="off"
        spellcheck={false}
        disabled={!hasTexts}
        maxLength={200}
        placeholder={hasTexts ? 'Search questions and answers' : 'Texts are not kept (store.keepText)'}
        value={typed}
        onInput={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          window.clearTimeout(timer.current)
          timer.current = window.setTimeout(() => search(text), pauseMs)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key !== 'Enter') return
          window.clearTimeout(timer.current)
          search(typed)
        }}
      />
      {hasTexts && <kbd>/</kbd>}
    </label>
  )
}
