/** What the page uses of an event. */
interface PageEvent {
  preventDefault(): void
}

/**
 * The part of an element that the page uses; everything that turns text into markup is left out on
 * purpose.
 */
export interface PageElement {
  textContent: string | null
  className: string
  hidden: boolean
  readonly firstElementChild: PageElement | null
  readonly nextElementSibling: PageElement | null
  append(...children: readonly (PageElement | string)[]): void
  replaceChildren(...children: readonly (PageElement | string)[]): void
  insertBefore(child: PageElement, place: PageElement | null): void
  remove(): void
  setAttribute(name: string, value: string): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  focus(): void
}

/** A field of a form. */
export interface PageField extends PageElement {
  value: string
}

/** A dialog. */
export interface PageDialog extends PageElement {
  readonly open: boolean
  showModal(): void
  close(): void
}

/** The document of the page. */
interface PageDocument {
  readonly visibilityState: string
  getElementById(id: string): PageElement | null
  createElement(tag: string): PageElement
  createElementNS(namespace: string, tag: string): PageElement
  addEventListener(type: string, listener: () => void): void
}

/** What the page needs from the browser. */
export interface PageHost {
  readonly document: PageDocument
  readonly location: { hash: string }
  readonly sessionStorage: {
    getItem(name: string): string | null
    setItem(name: string, value: string): void
    removeItem(name: string): void
  }
  fetch(address: string, options: RequestInit): Promise<Response>
  setTimeout(work: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  addEventListener(type: string, listener: () => void): void
}
