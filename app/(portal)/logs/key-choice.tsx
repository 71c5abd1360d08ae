import type { Tied } from '@/app/ui/field'
import { Select } from '@/app/ui/input'
import type { KeyName } from './rows'

/** Selects one of the contractor's keys, or any. A key that no longer exists stays selected. */
export function KeyChoice({ tied, chosen, keys }: { tied: Tied; chosen: string | undefined; keys: KeyName[] }) {
  const isKnown = !chosen || keys.some(({ keyId }) => keyId === chosen)
  return (
    <Select name="key" defaultValue={chosen ?? ''} {...tied}>
      <option value="">Any</option>
      {!isKnown && <option value={chosen}>{chosen}</option>}
      {keys.map(({ keyId, name, last4, isOver }) => (
        <option key={keyId} value={keyId}>
          {name} · {last4}
          {isOver && ' (over)'}
        </option>
      ))}
    </Select>
  )
}
