import { Button, LinkButton } from '@/app/ui/button'
import { Field } from '@/app/ui/field'
import { Input, Select } from '@/app/ui/input'
import { OUTCOMES } from '@/lib/leads/deliveries'
import { SOURCE_NAMES } from '@/lib/operations/deliveries'

type Given = { outcome?: string; source?: string; status?: string }

/** Filters the deliveries with a plain GET form, so that the URL holds them. */
export function Filters({ given }: { given: Given }) {
  const { outcome = '', source = '', status = '' } = given
  return (
    <form method="get" className="mb-5 flex flex-wrap items-end gap-3" aria-label="Filters">
      <Field label="Outcome">
        {(tied) => (
          <Select name="outcome" defaultValue={outcome} {...tied}>
            <option value="">Any</option>
            {OUTCOMES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Source">
        {(tied) => (
          <Select name="source" defaultValue={source} {...tied}>
            <option value="">Any</option>
            {[...new Set([...SOURCE_NAMES, ...(source ? [source] : [])])].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Status" className="w-28">
        {(tied) => (
          <Input name="status" defaultValue={status} inputMode="numeric" placeholder="400" maxLength={3} {...tied} />
        )}
      </Field>
      <div className="flex gap-2">
        <Button type="submit">Filter</Button>
        {(outcome || source || status) && (
          <LinkButton look="bare" href="/leads">
            Clear
          </LinkButton>
        )}
      </div>
    </form>
  )
}
