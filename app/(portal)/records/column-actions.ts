'use server'

import { redirect } from 'next/navigation'
import { requireOwnOrigin } from '@/app/session/action'
import { pathHere } from '@/app/session/path'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { LOG_LIST } from '../logs/table'
import { TRANSACTIONS } from '../transactions/list'
import { type ColumnList, chooseColumns } from './chosen-columns'
import { recordList } from './lists'

const CHOOSABLE: ColumnList[] = [...RESOURCE_NAMES.map(recordList), TRANSACTIONS, LOG_LIST]

/** Stores the columns that a form has ticked, and goes back to its list. */
export async function chooseColumnsAction(form: FormData): Promise<void> {
  await requireOwnOrigin()
  const [name, back] = [form.get('list'), form.get('back')]
  const list = CHOOSABLE.find((each) => each.name === name)
  const isUsual = form.get('act') === 'usual'
  if (list) await chooseColumns(list, isUsual ? undefined : form.getAll('column').map(String))
  redirect(pathHere(typeof back === 'string' ? back : undefined))
}
