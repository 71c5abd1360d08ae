import 'server-only'
import { cookies } from 'next/headers'

/** A column as people choose it. One that `isExtra` is shown when they do. */
export type Choosable = { name: string; head: string; isExtra?: true | undefined }

/** A list whose columns people choose. The first one names the row and is always shown. */
export type ColumnList<Column extends Choosable = Choosable> = { name: string; columns: readonly Column[] }

const cookieOf = ({ name }: ColumnList) => `columns.${name}`

/** Returns the columns of a list that this browser has chosen, or the usual ones. */
export async function chosenColumns<Column extends Choosable>(list: ColumnList<Column>): Promise<readonly Column[]> {
  const { columns } = list
  const chosen = (await cookies()).get(cookieOf(list))?.value.split('.')
  return columns.filter(({ name, isExtra }, at) => (chosen ? at === 0 || chosen.includes(name) : !isExtra))
}

/** Stores which columns of a list this browser shows; without names, the usual ones. */
export async function chooseColumns(list: ColumnList, names: readonly string[] | undefined): Promise<void> {
  const jar = await cookies()
  if (!names) jar.delete(cookieOf(list))
  else
    jar.set(cookieOf(list), list.columns.flatMap(({ name }) => (names.includes(name) ? [name] : [])).join('.'), {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      maxAge: 31_536_000,
    })
}
