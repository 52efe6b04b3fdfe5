"""Drawings and printed papers: cards, the felt, payout signs, layouts, forms and mathematics. Text in, text out."""
