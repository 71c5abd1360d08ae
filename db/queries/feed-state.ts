/** The queue length above which a contractor's records are being loaded, and no state of theirs lasts. */
const MOST_QUEUED = 100

/**
 * The SQL of a text that changes with every record of the contractor (`$1`) that is stored, changed or deleted. Each of these writes a row
 * of the change feed's queue in its own transaction, and rows leave the queue only when the feed's head moves on: while the head and the
 * number of queued rows are the same, so are the records. It also changes with the contractor's currency and time zone. Null while many are queued.
 */
export const FEED_STATE = `(select case when count(*) <= ${MOST_QUEUED} then concat_ws(' ', count(*), max(id),
      (select position || ' ' || numbered_at from change_heads where contractor_id = $1),
      (select currency || ' ' || timezone from contractors where id = $1)) end
    from (select id from change_queue where contractor_id = $1 limit ${MOST_QUEUED + 1}) queued)`
