-- What the file said since a day, for the reports of a past day.
CREATE INDEX "invoices_settled" ON "analytics_invoice_records" USING btree ("contractor_id",coalesce(settled_at, stated_at)) WHERE coalesce(settled_at, stated_at) is not null;
