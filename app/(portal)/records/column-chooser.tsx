import { Button, buttonClasses } from '@/app/ui/button'
import { Check } from '@/app/ui/input'
import type { Choosable, ColumnList } from './chosen-columns'
import { chooseColumnsAction } from './column-actions'

type Props = { list: ColumnList; shown: readonly Choosable[]; back: string }

/** The button that opens {@link ColumnChooser}, which stands outside the form of the filters. */
export const ColumnsButton = () => (
  <button type="button" popoverTarget="columns" className={buttonClasses({ look: 'plain' })}>
    Columns
  </button>
)

/** A choice of a list’s columns, kept in this browser. It opens and works without script. */
export function ColumnChooser({ list, shown, back }: Props) {
  const [first, ...rest] = list.columns
  return (
    <form
      id="columns"
      popover="auto"
      action={chooseColumnsAction}
      aria-label="Columns"
      className="rounded-lg border border-line bg-raised p-4 text-ink shadow-xl supports-[position-area:block-end]:m-0 supports-[position-area:block-end]:mt-1 supports-[position-area:block-end]:[position-area:block-end_span-inline-start]"
    >
      <input type="hidden" name="list" value={list.name} />
      <input type="hidden" name="back" value={back} />
      <fieldset>
        <legend className="mb-1 font-semibold">Columns</legend>
        {first && <Check label={first.head} defaultChecked disabled />}
        {rest.map(({ name, head }) => (
          <Check
            key={name}
            name="column"
            value={name}
            label={head}
            defaultChecked={shown.some((column) => column.name === name)}
          />
        ))}
      </fieldset>
      <p className="mt-1 mb-3 max-w-56 text-sm text-quiet">Narrow windows show as many of them as fit.</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="main">
          Show
        </Button>
        <Button type="submit" name="act" value="usual">
          Usual columns
        </Button>
      </div>
    </form>
  )
}
