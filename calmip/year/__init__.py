"""Every date of a year: its tilings, their number, and calendars on paper."""
