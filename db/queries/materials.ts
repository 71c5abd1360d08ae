import type { Database } from '../client'

/** An item of a price book, with the name and trade of its newest price up to a day, or of its first where all are dated ahead. */
export type BookItem = { item: string; name: string; trade: string | null; unit: string; currency: string }

const ITEMS = {
  name: 'plumbline_material_items',
  text: `select distinct on (item_key, unit, currency) item_key as item, name, trade, unit, currency
    from material_prices
    where contractor_id = $1 and ($3::text is null or lower(region) = lower($3))
    order by item_key, unit, currency, greatest(observed_on - $2::date, 0), observed_on desc, id desc limit $4::int`,
}

/** Returns a contractor's distinct items (of a region), those priced only ahead of the day too, at most `limit`. */
export function listMaterialItems(
  db: Database,
  query: { contractorId: string; asOf: string; region: string | undefined; limit: number },
): Promise<BookItem[]> {
  return db.run<BookItem>(ITEMS, [query.contractorId, query.asOf, query.region ?? null, query.limit])
}

/** An observed price. `cost` is the column's decimal text, `day` an ISO day. */
export type Observation = BookItem & { cost: string; supplier: string | null; region: string | null; day: string }

const OBSERVED = `item_key as item, name, trade, unit, currency, unit_cost::text as cost, supplier, region,
        observed_on::text as day
      from material_prices
      where contractor_id = $1 and item_key = k.item and ($4::text is null or lower(region) = lower($4))`
const PRICES = {
  name: 'plumbline_material_prices',
  text: `select p.* from jsonb_array_elements_text($2::jsonb) as k(item) cross join lateral (
      (select ${OBSERVED} and observed_on <= $3::date order by observed_on desc, id desc limit $5::int)
      union all
      (select ${OBSERVED} and observed_on > $3::date order by observed_on, id limit $5::int)) p
    order by p.item, p.day desc, p.supplier, p.cost`,
}

/** The prices of items on a day: those `seen` up to it, newest first, and those dated `ahead` of it, the first day first. */
export type Prices = { seen: Observation[]; ahead: Observation[] }

/** Returns the prices of items as of a day (and in a region), of each item at most `perItem` seen and as many ahead. */
export async function listMaterialPrices(
  db: Database,
  query: { contractorId: string; items: string[]; asOf: string; region: string | undefined; perItem: number },
): Promise<Prices> {
  const { contractorId, items, asOf, region = null, perItem } = query
  const values = [contractorId, JSON.stringify([...new Set(items)]), asOf, region, perItem]
  const prices = await db.run<Observation>(PRICES, values)
  return { seen: prices.filter(({ day }) => day <= asOf), ahead: prices.filter(({ day }) => day > asOf).reverse() }
}

const CURRENCY = { name: 'plumbline_contractor_currency', text: 'select currency from contractors where id = $1' }

/** Returns the contractor's own currency. */
export async function contractorCurrency(db: Database, contractorId: string): Promise<string> {
  const [row] = await db.run<{ currency: string }>(CURRENCY, [contractorId])
  return row?.currency ?? 'USD'
}

/** The data for pricing a project: its amounts, and the lines of its material list by item. */
export type ProjectMaterials = {
  project: { id: string; name: string; status: string; totalAmount: number }
  lines: { item: string; name: string | null; quantity: number; unit: string | null }[]
}

const OF_PROJECT = {
  name: 'plumbline_project_materials',
  text: `select json_build_object('id', p.id, 'name', p.name, 'status', p.status, 'totalAmount', p.total_amount) as project,
      (select coalesce(json_agg(json_build_object('item', item_key, 'name', name, 'quantity', quantity, 'unit', unit) order by item_key, unit), '[]')
        from (select * from project_materials where project_id = p.id and contractor_id = $1 and quantity > 0
          order by item_key, unit limit $3::int) m) as lines
    from projects p where p.contractor_id = $1 and p.id = $2`,
}

/** Returns a contractor's project with at most `limit` lines of its materials; undefined when there is no such project. */
export async function projectMaterials(
  db: Database,
  query: { contractorId: string; projectId: string; limit: number },
): Promise<ProjectMaterials | undefined> {
  const [found] = await db.run<ProjectMaterials>(OF_PROJECT, [query.contractorId, query.projectId, query.limit])
  return found
}
