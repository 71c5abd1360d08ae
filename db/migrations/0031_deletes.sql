-- Deleting a record must find what belongs to it, and whether a record was deleted, by an index.
CREATE INDEX "change_queue_deleted" ON "change_queue" USING btree ("record_id") WHERE change = 'deleted';--> statement-breakpoint
CREATE INDEX "changes_deleted" ON "changes" USING btree ("record_id","position") WHERE change = 'deleted';--> statement-breakpoint
CREATE INDEX "estimates_of_project" ON "estimates" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "estimates_of_customer" ON "estimates" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "invoices_of_project" ON "analytics_invoice_records" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "invoices_of_customer" ON "analytics_invoice_records" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "project_entries_of_project" ON "project_entries" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "transactions_of_project" ON "analytics_revenue_transactions" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "transactions_of_customer" ON "analytics_revenue_transactions" USING btree ("customer_id");