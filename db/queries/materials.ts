import type { Database } from '../client'

/** An item of a price book, with the name and trade of its newest price. */
export type BookItem = { item: string; name: string; trade: string | null; unit: string; currency: string }

const ITEMS = {
  name: 'plumbline_material_items',
  text: `select distinct on (item_key, unit, currency) item_key as item, name, trade, unit, currency
    from material_prices
    where contractor_id = $1 and observed_on <= $2::date and ($3::text is null or lower(region) = lower($3))
    order by item_key, unit, currency, observed_on desc, id desc limit $4::int`,
}

/** Returns a contractor's distinct items priced up to a day (and in a region), at most `limit`. */
export function listMaterialItems(
  db: Database,
  query: { contractorId: string; asOf: string; region: string | undefined; limit: number },
): Promise<BookItem[]> {
  return db.run<BookItem>(ITEMS, [query.contractorId, query.asOf, query.region ?? null, query.limit])
}

/** An observed price. `cost` is the column's decimal text, `day` an ISO day. */
export type Observation = BookItem & { cost: string; supplier: string | null; region: string | null; day: string }

const PRICES = {
  name: 'plumbline_material_prices',
  text: `select p.* from jsonb_array_elements_text($2::jsonb) as k(item) cross join lateral (
      select item_key as item, name, trade, unit, currency, unit_cost::text as cost, supplier, region,
        observed_on::text as day
      from material_prices
      where contractor_id = $1 and item_key = k.item and observed_on <= $3::date
        and ($4::text is null or lower(region) = lower($4))
      order by observed_on desc, id desc limit $5::int) p
    order by p.item, p.day desc, p.supplier, p.cost`,
}

/** Returns the prices of items up to a day (and in a region), newest first, at most `perItem` for each item. */
export function listMaterialPrices(
  db: Database,
  query: { contractorId: string; items: string[]; asOf: string; region: string | undefined; perItem: number },
): Promise<Observation[]> {
  const { contractorId, items, asOf, region = null, perItem } = query
  return db.run<Observation>(PRICES, [contractorId, JSON.stringify([...new Set(items)]), asOf, region, perItem])
}

const CURRENCY = { name: 'plumbline_contractor_currency', text: 'select currency from contractors where id = $1' }

/** Returns the contractor's own currency. */
export async function contractorCurrency(db: Database, contractorId: string): Promise<string> {
  const [row] = await db.run<{ currency: string }>(CURRENCY, [contractorId])
  return row?.currency ?? 'USD'
}

/** What pricing a project needs: its amounts, and the lines of its material list by item. */
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
