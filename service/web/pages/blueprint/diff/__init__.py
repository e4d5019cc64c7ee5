"""How two blueprints differ, or two versions of one."""
