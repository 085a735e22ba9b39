import { Icon } from '../../components/icon.tsx'

/** What the buttons take. */
interface StepsProps {
  readonly previous: (() => void) | undefined
  readonly next: (() => void) | undefined
}

/** The buttons to the runs before and after in the list. */
export function RunSteps({ previous, next }: StepsProps) {
  return (
    <>
      <button
        type="button"
        class="button icon-button"
        aria-label="Previous run"
        title="Previous run  ["
        disabled={previous === undefined}
        onClick={previous}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        class="button icon-button"
        aria-label="Next run"
        title="Next run  ]"
        disabled={next === undefined}
        onClick={next}
      >
        <Icon name="right" />
      </button>
    </>
  )
}
