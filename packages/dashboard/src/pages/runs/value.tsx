import { useServices } from '../../app/services.ts'

/** A value of a cell; a click shows the runs that have it too. */
export function Value({ filter, value }: { readonly filter: string; readonly value: string }) {
  const { router, format } = useServices()
  if (value === '') return <span class="quiet">–</span>
  const shown = format.visible(value.slice(0, 300))
  return (
    <button
      type="button"
      class="value cut"
      tabIndex={-1}
      title={`${shown}: show only these`}
      onClick={(event) => {
        event.stopPropagation()
        const current = router.place.peek().query.getAll(filter)
        if (!current.includes(value)) router.change({ [filter]: [...current, value] })
      }}
    >
      <bdi>{shown}</bdi>
    </button>
  )
}
