import type { ComponentProps } from 'react'
import type { Entered } from '@/lib/portal/form-result'
import { Field } from './field'
import { Input } from './input'

type Props = Omit<ComponentProps<'input'>, 'name' | 'defaultValue'> & {
  name: string
  label: string
  hint?: string
  fault: (field: string) => string | undefined
  entered: Entered
}

/** A line of text in a form: labeled, with its error, and with what was entered when the form was refused. */
export const TextField = ({ name, label, hint, fault, entered, ...rest }: Props) => (
  <Field label={label} hint={hint} error={fault(name)}>
    {(tied) => <Input {...tied} {...rest} name={name} defaultValue={entered.text(name)} />}
  </Field>
)

/** An email address in a form. */
export const EmailField = (props: Omit<Props, 'name' | 'type' | 'label' | 'required'>) => (
  <TextField {...props} name="email" type="email" label="Email address" required />
)
