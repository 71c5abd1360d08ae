DROP INDEX "estimates_by_date";--> statement-breakpoint
DROP INDEX "invoices_by_date";--> statement-breakpoint
DROP INDEX "leads_received";--> statement-breakpoint
DROP INDEX "payments_by_date";--> statement-breakpoint
CREATE INDEX "estimates_by_amount" ON "estimates" USING btree ("contractor_id","amount","id");--> statement-breakpoint
CREATE INDEX "invoices_by_due" ON "analytics_invoice_records" USING btree ("contractor_id","due_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_amount" ON "analytics_invoice_records" USING btree ("contractor_id","amount","id");--> statement-breakpoint
CREATE INDEX "projects_by_amount" ON "projects" USING btree ("contractor_id","total_amount","id");--> statement-breakpoint
CREATE INDEX "projects_by_start" ON "projects" USING btree ("contractor_id","start_date","id") WHERE start_date is not null;--> statement-breakpoint
CREATE INDEX "projects_by_end" ON "projects" USING btree ("contractor_id","end_date","id") WHERE end_date is not null;--> statement-breakpoint
CREATE INDEX "payments_by_amount" ON "analytics_revenue_transactions" USING btree ("contractor_id","amount","id") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "estimates_by_date" ON "estimates" USING btree ("contractor_id","estimate_date","id");--> statement-breakpoint
CREATE INDEX "invoices_by_date" ON "analytics_invoice_records" USING btree ("contractor_id","invoice_date","id");--> statement-breakpoint
CREATE INDEX "leads_received" ON "leads" USING btree ("contractor_id","received_at","project_id");--> statement-breakpoint
CREATE INDEX "payments_by_date" ON "analytics_revenue_transactions" USING btree ("contractor_id","date","id") WHERE type = 'payment_received';