import { type ReadonlySignal, signal } from '@preact/signals'

/** What the reader chose; `system` follows the setting of the system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** What the theme needs from the browser. */
interface ThemeHost {
  readonly document: { readonly documentElement: { readonly dataset: DOMStringMap } }
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  matchMedia(query: string): Pick<MediaQueryList, 'matches' | 'addEventListener'>
}

/** Light or dark. */
export interface Theme {
  readonly choice: ReadonlySignal<ThemeChoice>
  /** What is shown; charts draw themselves again when it changes. */
  readonly shown: ReadonlySignal<'light' | 'dark'>
  choose(choice: ThemeChoice): void
}

const place = 'stickler.theme'
const choices: readonly ThemeChoice[] = ['system', 'light', 'dark']

/** Makes the theme: the choice is kept in this browser, and an attribute of the document switches the colours. */
export function createTheme(host: ThemeHost): Theme {
  const dark = host.matchMedia('(prefers-color-scheme: dark)')
  const choice = signal<ThemeChoice>(kept(host))
  const shownBy = (one: ThemeChoice): 'light' | 'dark' => (one === 'system' ? (dark.matches ? 'dark' : 'light') : one)
  const shown = signal(shownBy(choice.peek()))
  const apply = (): void => {
    shown.value = shownBy(choice.peek())
    host.document.documentElement.dataset.theme = shown.peek()
  }
  dark.addEventListener('change', apply)
  apply()
  return {
    choice,
    shown,
    choose(next) {
      choice.value = next
      try {
        if (next === 'system') host.localStorage.removeItem(place)
        else host.localStorage.setItem(place, next)
      } catch {
        // A browser without storage forgets the choice.
      }
      apply()
    },
  }
}

function kept(host: ThemeHost): ThemeChoice {
  try {
    const value = host.localStorage.getItem(place)
    return choices.find((one) => one === value) ?? 'system'
  } catch {
    return 'system'
  }
}
