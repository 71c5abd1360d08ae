/** The fields that a column can fill, by whose they are. */
export type FieldGroup = { owner: string; fields: { field: string; label: string }[] }

/** The fields of a menu. */
export const FieldOptions = ({ groups }: { groups: FieldGroup[] }) =>
  groups.map(({ owner, fields }) => (
    <optgroup key={owner} label={owner}>
      {fields.map(({ field, label }) => (
        <option key={field} value={field}>
          {label}
        </option>
      ))}
    </optgroup>
  ))
