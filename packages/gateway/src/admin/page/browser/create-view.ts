import type { Format } from './create-format.ts'
import type { PageElement, PageHost } from './page-host.ts'

/** Makes elements. */
export type View = ReturnType<typeof createView>

/** The elements that the page is made of; none of them loads, links or runs anything. */
type Tag =
  | ('article' | 'button' | 'code' | 'dd' | 'del' | 'details' | 'div' | 'dl' | 'dt' | 'h3' | 'h4' | 'ins' | 'li' | 'ol' | 'p' | 'pre')
  | ('span' | 'strong' | 'summary' | 'td' | 'th' | 'time' | 'tr' | 'ul')

/** The attributes that the page sets. */
type Attributes = Readonly<Partial<Record<'class' | 'type' | 'scope' | 'datetime' | 'aria-haspopup' | 'aria-label', string>>>

/** What an element can hold; text is always shown as text. */
export type Child = PageElement | string | undefined

/** Makes the functions that build elements out of data. */
export function createView({ document }: Pick<PageHost, 'document'>, format: Format) {
  const make = (tag: Tag, attributes: Attributes = {}, ...children: readonly Child[]): PageElement => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    for (const child of children) if (child !== undefined) element.append(child)
    return element
  }

  /** Untrusted text on one line. */
  const name = (text: string, most = 120): string => {
    const { shown, missing } = format.clamp(text, most)
    return missing === 0 ? shown : `${shown}…`
  }

  return {
    make,
    name,

    /** An element that the page was served with. */
    at(id: string): PageElement {
      const found = document.getElementById(id)
      if (found === null) throw new Error(`the page has no ${id}`)
      return found
    },

    button(text: string, act: () => void, attributes: Attributes = {}): PageElement {
      const button = make('button', { type: 'button', ...attributes }, text)
      button.addEventListener('click', act)
      return button
    },

    time: (at: number, text: string): PageElement => make('time', { datetime: format.iso(at) }, text),

    /** Untrusted text on several lines; the rest of a long text is shown on demand. */
    text(text: string, most = 1500): PageElement {
      const { shown, missing } = format.clamp(text, most)
      const body = make('pre', {}, shown)
      if (missing === 0) return body
      const more = make('button', { type: 'button' }, `Show ${format.number(missing)} more characters`)
      more.addEventListener('click', () => {
        body.textContent = format.visible(text)
        more.remove()
      })
      return make('div', {}, body, more)
    },

    /** Names with their values; those without a value are left out. */
    facts(facts: readonly (readonly [string, Child])[]): PageElement {
      const told = facts.filter(([, value]) => value !== undefined && value !== '')
      return make('dl', {}, ...told.map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value))))
    },
  }
}
